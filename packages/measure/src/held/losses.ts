import type { Message } from '@palimpsest/core';
import type { NeedsAfter } from '../needs/needs-after.ts';
import { findHeldPairs } from '../needs/relations.ts';
import { collapseSpace } from '../words/read-commands.ts';
import { isSaid, type Said } from '../words/said.ts';
import { showMessage } from '../words/shown-text.ts';
import type { WordBook } from '../words/word-book.ts';

/** What is measured. `identifiers`, `fromMemory`, `acted`: names; `relations`: names that belong together. */
export const NEED_KINDS = [
  'identifiers',
  'fromMemory',
  'acted',
  'relations',
  'files',
  'commands',
  'editLines',
  'rules',
  'words',
] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

export interface Loss {
  readonly needed: number;
  readonly lost: readonly string[];
}

export type Losses = Readonly<Record<NeedKind, Loss>>;

/**
 * What a view does not hold of what was needed after it: names word by word, pairs where both stand near each other, lines
 * as they were, what the user said verbatim but for spacing.
 */
export function findLosses(view: readonly Message[], needs: NeedsAfter, book: WordBook): Losses {
  const held = new Set(view.flatMap(book.readShown));
  const shown = view.map(showMessage);
  const spaced = shown.map(collapseSpace);
  const pairs = findHeldPairs(view, needs.relations, book);
  const missNames = (numbers: readonly number[]): Loss => ({
    needed: numbers.length,
    lost: numbers.filter((number) => !held.has(number)).map(book.wordOf),
  });
  const missSaid = (all: readonly Said[]): Loss => ({
    needed: all.length,
    lost: all.filter((said) => !isSaid(said, spaced)).map(({ text }) => text),
  });
  return {
    identifiers: missNames(needs.names.identifiers),
    fromMemory: missNames(needs.fromMemory),
    acted: missNames(needs.acted),
    relations: {
      needed: needs.relations.size,
      lost: [...needs.relations].flatMap(([key, [one, other]]) =>
        pairs.has(key) ? [] : [`${book.wordOf(one)} ~ ${book.wordOf(other)}`],
      ),
    },
    files: missNames(needs.names.files),
    commands: missNames(needs.names.commands),
    editLines: {
      needed: needs.editLines.length,
      lost: needs.editLines.filter((line) => !shown.some((text) => text.includes(line))),
    },
    rules: missSaid(needs.rules),
    words: missSaid(needs.words),
  };
}
