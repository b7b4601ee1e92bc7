import type { Message } from '@palimpsest/core';
import { isIdentifier } from '../words/read-tokens.ts';
import { showMessage, showPart } from '../words/shown-text.ts';
import type { PlacedWord, WordBook } from '../words/word-book.ts';

/** Two names belong together where they begin within so many characters of each other. */
export const NEAR_CHARS = 100;

/** Two identifiers, by their numbers, the smaller first. */
export type Pair = readonly [one: number, other: number];

/** Pairs by a key of their own. */
export type Pairs = ReadonlyMap<number, Pair>;

const SHIFT = 2 ** 26;
const keyOf = (one: number, other: number): number => (one < other ? one * SHIFT + other : other * SHIFT + one);

function visitNear(words: readonly PlacedWord[], visit: (one: number, other: number) => void): void {
  let first = 0;
  for (const [i, { number, at }] of words.entries()) {
    while (at - (words[first]?.at ?? at) > NEAR_CHARS) first++;
    for (let j = first; j < i; j++) {
      const other = words[j];
      if (other !== undefined && other.number !== number) visit(other.number, number);
    }
  }
}

/** What the agent named together in its answers and calls. A name and a part of it are no pair. */
export function listUsedPairs(messages: readonly Message[], book: WordBook): Pairs {
  const pairs = new Map<number, Pair>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.parts) {
      if (part.type !== 'text' && part.type !== 'call') continue;
      const words = book
        .placeWords(showPart(part))
        .filter(({ number, isWhole }) => isWhole && isIdentifier(book.wordOf(number)));
      visitNear(words, (one, other) => {
        const [a, b] = [book.wordOf(one), book.wordOf(other)];
        if (!a.includes(b) && !b.includes(a))
          pairs.set(keyOf(one, other), [Math.min(one, other), Math.max(one, other)]);
      });
    }
  }
  return pairs;
}

/** Of these pairs, the ones that stand together in the messages. */
export function findHeldPairs(messages: readonly Message[], pairs: Pairs, book: WordBook): ReadonlySet<number> {
  const wanted = new Set([...pairs.values()].flat());
  const held = new Set<number>();
  for (const message of messages) {
    const words = book.placeWords(showMessage(message)).filter(({ number }) => wanted.has(number));
    visitNear(words, (one, other) => {
      const key = keyOf(one, other);
      if (pairs.has(key)) held.add(key);
    });
  }
  return held;
}

/** The relations that were needed: pairs that stood together before, and that the agent named together after. */
export function findRelations(before: readonly Message[], after: readonly Message[], book: WordBook): Pairs {
  const used = listUsedPairs(after, book);
  const seen = findHeldPairs(before, used, book);
  return new Map([...used].filter(([key]) => seen.has(key)));
}
