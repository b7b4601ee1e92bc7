import type { Message } from '@palimpsest/core';
import { listWrittenText, type Said } from '../words/said.ts';
import { showMessage } from '../words/shown-text.ts';
import type { NameKind, WordBook } from '../words/word-book.ts';
import { listEditLines } from './edit-lines.ts';
import { findRelations, type Pairs } from './relations.ts';

/**
 * What was needed after a compaction, told by what the agent did then, and had been in view before it. Names as numbers of
 * the book, most used first; the user's words in their order.
 */
export interface NeedsAfter {
  readonly names: Readonly<Record<NameKind, readonly number[]>>;
  /** Of the identifiers, those that the agent used before anything showed them again. */
  readonly fromMemory: readonly number[];
  /** Of the identifiers, those that stood in its calls: what it acted on. */
  readonly acted: readonly number[];
  readonly relations: Pairs;
  /** The longest line of each text that an edit replaced, where it had been shown. */
  readonly editLines: readonly string[];
  /** What users and clients wrote is needed whether or not the agent can be seen to use it: before the first answer, and typed behind it. */
  readonly rules: readonly Said[];
  readonly words: readonly Said[];
}

export function findNeedsAfter(before: readonly Message[], after: readonly Message[], book: WordBook): NeedsAfter {
  const seen = new Set(before.flatMap(book.readShown));
  const rank = (kind: NameKind): readonly number[] =>
    rankByCount(after.flatMap((message) => book.readUsed(message)[kind].filter((number) => seen.has(number))));
  const identifiers = rank('identifiers');
  const acted = new Set(after.flatMap(book.readActed));
  const remembered = findRemembered(after, book);
  const { head, typed } = listWrittenText(before);
  return {
    names: { identifiers, files: rank('files'), commands: rank('commands') },
    fromMemory: identifiers.filter((number) => remembered.has(number)),
    acted: identifiers.filter((number) => acted.has(number)),
    relations: findRelations(before, after, book),
    editLines: findShownLines(before, after),
    rules: head,
    words: typed,
  };
}

function findShownLines(before: readonly Message[], after: readonly Message[]): readonly string[] {
  const lines = [...new Set(after.flatMap(listEditLines))];
  if (lines.length === 0) return lines;
  const shown = before.map(showMessage);
  return lines.filter((line) => shown.some((text) => text.includes(line)));
}

function rankByCount(numbers: readonly number[]): readonly number[] {
  const times = new Map<number, number>();
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1);
  return [...times].sort(([, one], [, other]) => other - one).map(([number]) => number);
}

/** What the agent used before a result, or the user, showed it. */
function findRemembered(after: readonly Message[], book: WordBook): ReadonlySet<number> {
  const remembered = new Set<number>();
  const shownAgain = new Set<number>();
  for (const message of after) {
    if (message.role === 'user') for (const number of book.readShown(message)) shownAgain.add(number);
    for (const number of book.readUsed(message).identifiers) if (!shownAgain.has(number)) remembered.add(number);
  }
  return remembered;
}
