import { newStride, type Steps } from '../../steps.ts';

/** Told of two names that stand together. */
export type VisitPair = (one: number, other: number) => void;

/** Two names by a key of their own, where there are so many names. */
export const keyOfPair = (one: number, other: number, names: number): number =>
  one < other ? one * names + other : other * names + one;

/** Every two names of which one stands here and the other there; here and there may be the same place. */
export function visitPairs(here: readonly number[], there: readonly number[], visit: VisitPair): void {
  for (const [i, one] of here.entries())
    for (let j = here === there ? i + 1 : 0; j < there.length; j++) {
      const other = there[j] ?? one;
      if (one !== other) visit(one, other);
    }
}

/** How often two names stand together, by their key. */
export type PairCounts = ReadonlyMap<number, number>;

export function* countPairs(places: Iterable<readonly number[]>, names: number): Steps<PairCounts> {
  const counts = new Map<number, number>();
  const isStop = newStride(64);
  for (const place of places) {
    if (isStop()) yield;
    visitPairs(place, place, (one, other) => {
      const key = keyOfPair(one, other, names);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
  }
  return counts;
}
