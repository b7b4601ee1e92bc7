import type { Message } from '@palimpsest/core';
import { addRecalls, addShares, measureRecall, type Recall, type Share } from '../held/share.ts';
import { newViewWords } from '../held/view-words.ts';
import { memoize } from '../memoize.ts';
import { collapseSpace } from '../words/read-commands.ts';
import { isSaid } from '../words/said.ts';
import { showMessage } from '../words/shown-text.ts';
import type { WordBook } from '../words/word-book.ts';
import type { Questions } from './asked.ts';

/** What views held of what they were asked for. */
export interface Held {
  /** Of the names that the agent used in its next answers and had seen before. */
  readonly recall: Recall;
  /** Of the lines that its answers' edits replaced and that had been shown. */
  readonly editLines: Share;
  /** Of what the user had said, word for word. */
  readonly rules: Share;
  readonly words: Share;
}

export const addHeld = (all: readonly Held[]): Held => ({
  recall: addRecalls(all.map((one) => one.recall)),
  editLines: addShares(all.map((one) => one.editLines)),
  rules: addShares(all.map((one) => one.rules)),
  words: addShares(all.map((one) => one.words)),
});

/** Looks at the views of one course of a session, one after the other. */
export interface Witness {
  /** `call`: its number, from 0. */
  look(call: number, view: readonly Message[]): void;
  /** What was held at the calls from this one on. */
  testify(from: number): Held;
}

const NOTHING = { identifiers: [], files: [], commands: [] };

export function newWitness({ said, calls }: Questions, book: WordBook): Witness {
  const words = newViewWords(book);
  const show = memoize(showMessage);
  const listSaid = memoize((message: Message): readonly number[] => {
    const shown = message.parts.flatMap((part) => (part.type === 'text' ? [collapseSpace(part.text)] : []));
    return shown.length === 0 ? [] : said.flatMap((one, place) => (isSaid(one, shown) ? [place] : []));
  });
  const seen = new Map<number, Held>();
  return {
    look(call, view) {
      const asked = calls[call];
      if (asked === undefined) return;
      const { names, rules, words: texts, editLines } = asked;
      if (names === undefined && editLines.length === 0 && texts.length === 0) return;
      if (names !== undefined) words.update(view);
      const told = new Set(texts.length + rules.length === 0 ? [] : view.flatMap(listSaid));
      const share = (places: readonly number[]): Share => ({
        held: places.filter((place) => told.has(place)).length,
        needed: places.length,
      });
      const isShown = (line: string): boolean => view.some((message) => show(message).includes(line));
      seen.set(call, {
        recall: measureRecall(names ?? NOTHING, words.has),
        editLines: { held: editLines.filter(isShown).length, needed: editLines.length },
        rules: share(rules),
        words: share(texts),
      });
    },
    testify: (from) => addHeld([...seen].flatMap(([call, held]) => (call < from ? [] : held))),
  };
}
