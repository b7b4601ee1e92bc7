import { newPairTable, type PairTable, putPair } from './pair-table.ts';

/** How much two names that stand together are worth: this part of the lesser one, more where they often do. */
const pairPart = 0.5;
const pairExponent = 0.5;

/** Pairs of names by number: how often each stands in what was counted, and what it is worth. */
export interface NamePairs {
  /** What the names are worth, by their numbers. */
  readonly weights: readonly number[];
  readonly table: PairTable;
  readonly worths: number[];
}

export const newNamePairs = (weights: readonly number[]): NamePairs => ({
  weights,
  table: newPairTable(),
  worths: [],
});

/** The number of a pair. One that was not counted has stood together once. */
export function findPair({ weights, table, worths }: NamePairs, one: number, other: number): number {
  const number = putPair(table, one, other);
  if (number === worths.length) worths.push(pairPart * Math.min(weights[one] as number, weights[other] as number));
  return number;
}

/** Every two of these names, which are each there once. */
export function listPairs(pairs: NamePairs, names: readonly number[]): readonly number[] {
  const list: number[] = [];
  for (let i = 0; i < names.length; i++)
    for (let j = i + 1; j < names.length; j++) list.push(findPair(pairs, names[i] as number, names[j] as number));
  return list;
}

/** The pairs of which one name stands here and the other there. */
export function listPairsBetween(
  pairs: NamePairs,
  here: readonly number[],
  there: readonly number[],
): readonly number[] {
  const list: number[] = [];
  for (let i = 0; i < here.length; i++)
    for (let j = 0; j < there.length; j++)
      if (here[i] !== there[j]) list.push(findPair(pairs, here[i] as number, there[j] as number));
  return list;
}

/** Makes pairs that stand in several of these lists worth more. */
export function weighPairs({ worths }: NamePairs, lists: readonly (readonly number[])[]): void {
  const counts = new Int32Array(worths.length);
  for (const list of lists) countPairs(counts, list);
  for (let pair = 0; pair < counts.length; pair++)
    worths[pair] = (worths[pair] as number) * (counts[pair] as number) ** pairExponent;
}

function countPairs(counts: Int32Array, list: readonly number[]): void {
  for (let at = 0; at < list.length; at++) counts[list[at] as number] = (counts[list[at] as number] as number) + 1;
}
