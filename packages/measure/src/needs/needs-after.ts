import { digest, type Message } from '@palimpsest/core';
import { collapseSpace } from '../words/read-commands.ts';
import type { NameKind, WordBook } from '../words/word-book.ts';

/**
 * What was needed after a compaction, told by what the agent did then, and had been in view before it. Names as numbers of
 * the book, most used first; the user's words in their order.
 */
export interface NeedsAfter {
  readonly names: Readonly<Record<NameKind, readonly number[]>>;
  /** Of the identifiers, those that the agent used before anything showed them again. */
  readonly fromMemory: readonly number[];
  /** What the user said is needed whether or not the agent can be seen to use it. */
  readonly rules: readonly string[];
  readonly words: readonly string[];
}

/** More of one message is a document; its beginning tells whether it is there. */
const TELLING_CHARS = 300;

export function findNeedsAfter(before: readonly Message[], after: readonly Message[], book: WordBook): NeedsAfter {
  const seen = new Set(before.flatMap(book.readShown));
  const rank = (kind: NameKind): readonly number[] =>
    rankByCount(after.flatMap((message) => book.readUsed(message)[kind].filter((number) => seen.has(number))));
  const identifiers = rank('identifiers');
  const remembered = findRemembered(after, book);
  // Only the evidence is wanted; the smallest digest is the cheapest.
  const { constraints, words } = digest(before, { maxTokens: 16 }).evidence;
  return {
    names: { identifiers, files: rank('files'), commands: rank('commands') },
    fromMemory: identifiers.filter((number) => remembered.has(number)),
    rules: listOnce(constraints.filter((rule) => rule.direct).map((rule) => collapseSpace(rule.text))),
    words: listOnce(words.map((said) => collapseSpace(said.text).slice(0, TELLING_CHARS))),
  };
}

const listOnce = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

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
