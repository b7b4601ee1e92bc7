import { findHits, type Hits, NO_HITS, type Searched, weighTerms } from './find-hits.ts';
import { readTerms, WHOLE } from './read-terms.ts';
import type { SearchIndex } from './search-index.ts';

/** The most that a passage holds: enough to see what a line belongs to, and short enough that finding it is finding the line. */
export const PASSAGE_CHARS = 1_500;

/** Neighbouring fragments, from the first to before the last, and how well they answer. */
export interface Ranked<In extends Searched = Searched> {
  /** The transcript that they stand in. */
  readonly in: In;
  readonly from: number;
  readonly to: number;
  /** The fragment that answers best by itself. */
  readonly best: number;
  readonly score: number;
}

/** Usual figures of BM25, a little lower: passages are all of about one length. */
const SATURATION = 0.8;
const LENGTH_WEIGHT = 0.3;
/** So many of the best are put in an order in which each adds to what those before it say. */
const DIVERSE = 40;
const NOVELTY = 0.9;
const FADING = 0.7;
/** What answers less than this share of the best is not worth sorting. */
const LEAST_SHARE = 0.1;
/** What holds less than this share of a query holds only words that are everywhere, unless it is most of them, or a name. */
const LEAST_COVERED = 0.1;

interface Query {
  /** By number of a term: what it weighs, and whether it is a name whole. */
  readonly weights: Float64Array;
  readonly wholes: readonly boolean[];
}

/**
 * Passages by BM25, best first. A passage is the run of neighbouring fragments that answers best, wherever it begins; none
 * overlaps a better one. After the first, what says the same again gives way to what says something else of the query.
 * Several transcripts are weighed as one: how rare a word is follows from all of them.
 */
export function rankPassages<In extends Searched>(transcripts: readonly In[], words: string): readonly Ranked<In>[] {
  const numbers = new Map<number, number>();
  readTerms(words, 0, words.length, (term) => {
    if (!numbers.has(term)) numbers.set(term, numbers.size);
  });
  if (numbers.size === 0) return [];
  const hits = new Map<Searched, Hits>();
  for (const one of transcripts) hits.set(one, findHits(one, numbers));
  const wholes = [...numbers.keys()].map((term) => term >= WHOLE);
  const query = { weights: weighTerms(numbers, hits), wholes };
  const taken: (readonly Ranked<In>[])[] = [];
  for (const one of transcripts) taken.push(takeApart(scoreWindows(one, query, hits.get(one) ?? NO_HITS)));
  const sorted = taken.flat().toSorted((one, other) => other.score - one.score);
  return orderByNovelty(sorted, query, hits);
}

/** Every run of fragments that fills a passage and holds something of the query; those far behind the best are left out. */
function scoreWindows<In extends Searched>(
  transcript: In,
  { weights, wholes }: Query,
  { starts, numbers, counts }: Hits,
): readonly Ranked<In>[] {
  const { index } = transcript;
  const ends = findEnds(transcript);
  const meanTerms = measureMean(index, ends);
  const ranked: Ranked<In>[] = [];
  const least = weights.reduce((sum, weight) => sum + weight, 0) * LEAST_COVERED;
  const times = new Float64Array(weights.length);
  let highest = 0;
  for (let from = 0; from < ends.length; from++) {
    const to = ends[from] ?? from;
    // A run that ends where the one before it did is a part of it.
    if (to === from || (from > 0 && to === ends[from - 1]) || starts[from] === starts[to]) continue;
    const held: number[] = [];
    let [best, bestWeight, terms] = [from, 0, 0];
    for (let at = from; at < to; at++) {
      terms += index.termsOf(at);
      let weight = 0;
      for (let hit = starts[at] ?? 0; hit < (starts[at + 1] ?? 0); hit++) {
        const number = numbers[hit] ?? 0;
        if (times[number] === 0) held.push(number);
        times[number] = (times[number] ?? 0) + (counts[hit] ?? 0);
        weight += weights[number] ?? 0;
      }
      if (weight > bestWeight) [best, bestWeight] = [at, weight];
    }
    const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * terms) / meanTerms);
    let [score, covered] = [0, 0];
    for (const number of held) {
      const [weight, count] = [weights[number] ?? 0, times[number] ?? 0];
      score += (weight * count * (SATURATION + 1)) / (count + norm);
      covered += weight;
      times[number] = 0;
    }
    if (covered < least && held.length * 2 <= weights.length && !held.some((number) => wholes[number])) continue;
    highest = Math.max(highest, score);
    if (score >= highest * LEAST_SHARE) ranked.push({ in: transcript, from, to, best, score });
  }
  return ranked.filter(({ score }) => score >= highest * LEAST_SHARE);
}

/** For each fragment that a passage may begin with: the one behind its last. */
function findEnds({ index, fragments, allows }: Searched): Uint32Array {
  const ends = new Uint32Array(fragments);
  let [to, chars] = [0, 0];
  for (let from = 0; from < fragments; from++) {
    if (to <= from) [to, chars] = [from, 0];
    while (to < fragments && allows(to) && (to === from || !index.beginsTurn(to))) {
      const length = index.lengthOf(to) + 1;
      if (chars + length > PASSAGE_CHARS + 1) break;
      chars += length;
      to++;
    }
    ends[from] = to;
    if (to > from) chars -= index.lengthOf(from) + 1;
  }
  return ends;
}

/** Terms of a passage that is full, on the whole. */
function measureMean(index: SearchIndex, ends: Uint32Array): number {
  let [sum, count, terms, to] = [0, 0, 0, 0];
  for (let from = 0; from < ends.length; from++) {
    if (to < from) [to, terms] = [from, 0];
    while (to < (ends[from] ?? 0)) terms += index.termsOf(to++);
    sum += terms;
    count++;
    if (to > from) terms -= index.termsOf(from);
  }
  return Math.max(1, sum / Math.max(1, count));
}

/** The best of those that overlap; of equals the newest. */
function takeApart<In extends Searched>(windows: readonly Ranked<In>[]): readonly Ranked<In>[] {
  const taken: Ranked<In>[] = [];
  const covered = new Set<number>();
  for (const window of windows.toSorted((one, other) => other.score - one.score || other.from - one.from)) {
    if (covered.has(window.from) || covered.has(window.to - 1)) continue;
    for (let at = window.from; at < window.to; at++) covered.add(at);
    taken.push(window);
  }
  return taken;
}

function orderByNovelty<In extends Searched>(
  taken: readonly Ranked<In>[],
  { weights }: Query,
  hits: ReadonlyMap<Searched, Hits>,
): readonly Ranked<In>[] {
  const left = taken
    .slice(0, DIVERSE)
    .map((ranked) => ({ ranked, held: listHeld(ranked, hits.get(ranked.in) ?? NO_HITS) }));
  const told = new Float64Array(weights.length).fill(1);
  const ordered: Ranked<In>[] = [];
  while (left.length > 0) {
    let [next, highest] = [0, Number.NEGATIVE_INFINITY];
    for (const [i, { ranked, held }] of left.entries()) {
      let [all, old] = [0, 0];
      for (const number of held) {
        all += weights[number] ?? 0;
        old += (weights[number] ?? 0) * (1 - (told[number] ?? 1));
      }
      const score = ranked.score * (1 - (NOVELTY * old) / Math.max(all, Number.MIN_VALUE));
      if (score > highest) [next, highest] = [i, score];
    }
    for (const { ranked, held } of left.splice(next, 1)) {
      ordered.push(ranked);
      for (const number of held) told[number] = (told[number] ?? 1) * FADING;
    }
  }
  return [...ordered, ...taken.slice(DIVERSE)];
}

const listHeld = ({ from, to }: Ranked, { starts, numbers }: Hits): ReadonlySet<number> =>
  new Set(numbers.slice(starts[from] ?? 0, starts[to] ?? 0));
