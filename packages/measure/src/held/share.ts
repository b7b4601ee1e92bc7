import type { Uses } from '../words/word-book.ts';
import { NAME_KINDS, type NameKind } from '../words/word-book.ts';
import type { Loss } from './losses.ts';

/** How many of the things that were needed were there. Shares are added up need by need: a place where much was needed counts for more. */
export interface Share {
  readonly held: number;
  readonly needed: number;
}

export const addShares = (shares: readonly Share[]): Share => ({
  held: shares.reduce((sum, one) => sum + one.held, 0),
  needed: shares.reduce((sum, one) => sum + one.needed, 0),
});

export const shareKept = ({ needed, lost }: Loss): Share => ({ held: needed - lost.length, needed });

/** Between 0 and 1; not a number where nothing was needed. */
export const fractionOf = ({ held, needed }: Share): number => (needed === 0 ? Number.NaN : held / needed);

/** A share for each kind of name. */
export type Recall = Readonly<Record<NameKind, Share>>;

const makeRecall = (make: (kind: NameKind) => Share): Recall =>
  Object.fromEntries(NAME_KINDS.map((kind) => [kind, make(kind)])) as Recall;

export const measureRecall = (needs: Uses, has: (number: number) => boolean): Recall =>
  makeRecall((kind) => ({ held: needs[kind].filter(has).length, needed: needs[kind].length }));

export const addRecalls = (recalls: readonly Recall[]): Recall =>
  makeRecall((kind) => addShares(recalls.map((one) => one[kind])));

/** The mean over the kinds of which anything was needed; not a number where nothing was. */
export function averageRecall(recall: Recall): number {
  const known = NAME_KINDS.map((kind) => fractionOf(recall[kind])).filter((value) => !Number.isNaN(value));
  return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0) / known.length;
}
