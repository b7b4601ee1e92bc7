import { WHOLE } from './read-terms.ts';
import type { SearchIndex } from './search-index.ts';

/** Whether a fragment may be found. */
export type Filter = (fragment: number) => boolean;

/** A transcript as a search sees it: its terms, how many fragments there were when it began, and which of them may be found. */
export interface Searched {
  readonly index: SearchIndex;
  readonly fragments: number;
  readonly allows: Filter;
}

/** What of a query stands in which fragment: fragment i has the hits from starts[i] to starts[i + 1]. */
export interface Hits {
  readonly starts: Uint32Array;
  readonly numbers: number[];
  readonly counts: number[];
}

const RARITY_POWER = 1.2;
/** A name of several words tells more than its words. */
const WHOLE_WEIGHT = 1.5;

export const NO_HITS: Hits = { starts: new Uint32Array(1), numbers: [], counts: [] };

/** Most terms of a transcript are none of the query's: sixteen bits of them tell. */
const FILTER_SHIFT = 6;
const FILTER_MASK = 0xffff;

export function findHits({ index, fragments }: Searched, wanted: ReadonlyMap<number, number>): Hits {
  const filter = new Uint8Array(FILTER_MASK + 1);
  for (const term of wanted.keys()) filter[(term >>> FILTER_SHIFT) & FILTER_MASK] = 1;
  const hits: Hits = { starts: new Uint32Array(fragments + 1), numbers: [], counts: [] };
  const { starts, numbers, counts } = hits;
  for (let at = 0; at < fragments; at++) {
    starts[at] = numbers.length;
    index.eachTerm(at, (term, count) => {
      if (filter[(term >>> FILTER_SHIFT) & FILTER_MASK] === 0) return;
      const number = wanted.get(term);
      if (number === undefined) return;
      numbers.push(number);
      counts.push(count);
    });
  }
  starts[fragments] = numbers.length;
  return hits;
}

/** How much a term tells: the fewer fragments hold it, the more. */
export function weighTerms(terms: ReadonlyMap<number, number>, hits: ReadonlyMap<Searched, Hits>): Float64Array {
  const holders = new Uint32Array(terms.size);
  let fragments = 0;
  for (const [transcript, { numbers }] of hits) {
    fragments += transcript.fragments;
    for (const number of numbers) holders[number] = (holders[number] ?? 0) + 1;
  }
  const weights = new Float64Array(terms.size);
  for (const [term, number] of terms) {
    const held = holders[number] ?? 0;
    const rarity = Math.log(1 + (fragments - held + 0.5) / (held + 0.5)) ** RARITY_POWER;
    weights[number] = term >= WHOLE ? rarity * WHOLE_WEIGHT : rarity;
  }
  return weights;
}
