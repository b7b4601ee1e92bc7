import { addShares, fractionOf, type Share } from './share.ts';

/** Between which shares 95 of 100 draws of as many projects lie. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const DRAWS = 1_000;
const TAIL = 0.025;
const SEED = 0x9e3779b9;

/** The same numbers between 0 and 1 in every run (mulberry32). */
function newDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * How far the share might lie elsewhere with other projects: whole projects are drawn again and again, since sessions of one
 * are alike. Undefined with less than two.
 */
export function drawInterval(byProject: readonly Share[]): Interval | undefined {
  const known = byProject.filter(({ needed }) => needed > 0);
  if (known.length < 2) return undefined;
  const roll = newDice(SEED);
  const draw = (): Share => known[Math.floor(roll() * known.length)] ?? { held: 0, needed: 0 };
  const shares = Array.from({ length: DRAWS }, () => fractionOf(addShares(known.map(draw)))).sort((a, b) => a - b);
  const at = (place: number): number => shares[Math.min(DRAWS - 1, Math.floor(place * DRAWS))] ?? Number.NaN;
  return { low: at(TAIL), high: at(1 - TAIL) };
}
