import type { Message } from '@palimpsest/core';
import { placeTokens, readTokens, splitToken } from '../words/read-tokens.ts';
import { showPart } from '../words/shown-text.ts';

/** What an agent still knows of a name that it has forgotten: the characters on each side of it in what it wrote later. */
const AROUND_CHARS = 150;
/** A longer passage is a document: finding it is not finding the name. */
export const PASSAGE_CHARS = 1_500;

/** A name that was needed and is out of view, and how one would ask for it. */
export interface Wanted {
  readonly name: string;
  readonly query: string;
}

/** Passages for a query, best first. */
export type Search = (query: string, most: number) => readonly string[];

/** Of the names that were wanted, how many the first passage held, one of the first five, one of the first ten. */
export interface Reach {
  readonly wanted: number;
  readonly first: number;
  readonly five: number;
  readonly ten: number;
}

/** How each name would be asked for, by the words around its first use; a use without any cannot be asked for. */
export function listWanted(names: readonly string[], after: readonly Message[]): readonly Wanted[] {
  const missing = new Set(names);
  const wanted: Wanted[] = [];
  for (const message of after) {
    if (message.role !== 'assistant') continue;
    const shown = message.parts.map((part) => (part.type === 'text' || part.type === 'call' ? showPart(part) : ''));
    const text = shown.join('\n');
    for (const { token, at } of placeTokens(text)) {
      if (!missing.delete(token)) continue;
      const end = at + token.length;
      const query = `${text.slice(Math.max(0, at - AROUND_CHARS), at)} ${text.slice(end, end + AROUND_CHARS)}`.trim();
      if (query !== '') wanted.push({ name: token, query });
    }
  }
  return wanted;
}

const holdsName = (passage: string, name: string): boolean => {
  if (!passage.includes(name)) return false;
  for (const token of readTokens(passage)) for (const word of splitToken(token)) if (word === name) return true;
  return false;
};

export function measureReach(wanted: readonly Wanted[], search: Search): Reach {
  const ranks = wanted.map(({ name, query }) => {
    const rank = search(query, 10).findIndex((passage) => holdsName(passage.slice(0, PASSAGE_CHARS), name));
    return rank < 0 ? Number.POSITIVE_INFINITY : rank;
  });
  const count = (most: number): number => ranks.filter((rank) => rank < most).length;
  return { wanted: wanted.length, first: count(1), five: count(5), ten: count(10) };
}

export const addReaches = (all: readonly Reach[]): Reach => ({
  wanted: all.reduce((sum, one) => sum + one.wanted, 0),
  first: all.reduce((sum, one) => sum + one.first, 0),
  five: all.reduce((sum, one) => sum + one.five, 0),
  ten: all.reduce((sum, one) => sum + one.ten, 0),
});
