import type { Message } from '@palimpsest/core';
import type { NeedsAfter } from '../needs/needs-after.ts';
import { collapseSpace } from '../words/read-commands.ts';
import { showMessage } from '../words/shown-text.ts';
import type { WordBook } from '../words/word-book.ts';

export const NEED_KINDS = ['identifiers', 'fromMemory', 'files', 'commands', 'rules', 'words'] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

export interface Loss {
  readonly needed: number;
  readonly lost: readonly string[];
}

export type Losses = Readonly<Record<NeedKind, Loss>>;

/** What a view does not hold of what was needed after it: names word by word, what the user said verbatim but for spacing. */
export function findLosses(view: readonly Message[], needs: NeedsAfter, book: WordBook): Losses {
  const held = new Set(view.flatMap(book.readShown));
  const text = collapseSpace(view.map(showMessage).join('\n'));
  const missNames = (numbers: readonly number[]): Loss => ({
    needed: numbers.length,
    lost: numbers.filter((number) => !held.has(number)).map(book.wordOf),
  });
  const missTexts = (texts: readonly string[]): Loss => ({
    needed: texts.length,
    lost: texts.filter((one) => !text.includes(one)),
  });
  return {
    identifiers: missNames(needs.names.identifiers),
    fromMemory: missNames(needs.fromMemory),
    files: missNames(needs.names.files),
    commands: missNames(needs.names.commands),
    rules: missTexts(needs.rules),
    words: missTexts(needs.words),
  };
}
