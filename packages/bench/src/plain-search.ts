import type { Message } from '@palimpsest/core';
import { PASSAGE_CHARS, type Search, showMessage } from '@palimpsest/measure';

/** What a search has to beat: BM25 with its usual figures over pieces of equal length, words of letters and digits. */
export function newPlainSearch(messages: readonly Message[]): Search {
  const pieces = messages.flatMap((message) => cutPieces(showMessage(message)));
  const counts = pieces.map((piece) => countWords(piece));
  const holders = new Map<string, number[]>();
  for (const [i, { words }] of counts.entries())
    for (const word of words.keys()) {
      const known = holders.get(word);
      if (known === undefined) holders.set(word, [i]);
      else known.push(i);
    }
  const meanLength = counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counts.length);
  return (query, most) => {
    const scores = new Map<number, number>();
    for (const word of countWords(query).words.keys()) {
      const found = holders.get(word) ?? [];
      const rarity = Math.log(1 + (pieces.length - found.length + 0.5) / (found.length + 0.5));
      for (const i of found) {
        const { words, length } = counts[i] ?? { words: new Map<string, number>(), length: 0 };
        const times = words.get(word) ?? 0;
        const weight = (times * 2.2) / (times + 1.2 * (0.25 + (0.75 * length) / meanLength));
        scores.set(i, (scores.get(i) ?? 0) + rarity * weight);
      }
    }
    return [...scores]
      .sort(([i, one], [j, other]) => other - one || j - i)
      .slice(0, most)
      .map(([i]) => pieces[i] ?? '');
  };
}

function cutPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += PASSAGE_CHARS) pieces.push(text.slice(at, at + PASSAGE_CHARS));
  return pieces;
}

function countWords(text: string): { readonly words: ReadonlyMap<string, number>; readonly length: number } {
  const words = new Map<string, number>();
  let length = 0;
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    words.set(word, (words.get(word) ?? 0) + 1);
    length++;
  }
  return { words, length };
}
