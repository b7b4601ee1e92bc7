import type { IdentifierEvidence } from '../evidence/evidence.ts';
import { hashToken } from '../evidence/scan-tokens.ts';
import { isTelling } from '../evidence/statement-names.ts';
import { type Known, newTextTable } from './text-table.ts';

/** An identifier that was met before: how often and where, and what need not be asked of it again. */
export type Met = Known & { -readonly [Key in keyof IdentifierEvidence]: IdentifierEvidence[Key] } & {
  /** It says something of this session. */
  readonly isTelling: boolean;
  /** By which rows know it and weights are listed. */
  number: number;
  isForgotten: boolean;
};

/** The identifiers met so far, in the order in which they were. A text need not be cut up to ask for one that stands in it. */
export interface MetNames {
  /** Without those that were forgotten. */
  readonly all: readonly Met[];
  /** One by its number. */
  nameOf(number: number): string;
  /** What each was last found to be worth, by its number; nothing where it was forgotten. */
  weigh(weighName: (met: Met) => number): Float64Array;
  /** Also one that was forgotten: what it is need not be found out again. */
  find(text: string, start: number, end: number, hash: number): Met | undefined;
  add(count: IdentifierEvidence, hash?: number): Met;
  /** One that was forgotten came again: it is counted from here on. */
  renew(met: Met, position: number): void;
  /** Forgets all but these, which are some of all, in their order; answers whether the names were numbered anew. */
  keep(kept: readonly Met[]): boolean;
}

/** So many that were forgotten are still found. */
const mostForgotten = 50_000;

export function newMetNames(): MetNames {
  let all: Met[] = [];
  /** By their numbers, with those that were forgotten. */
  let known: Met[] = [];
  let weights = new Float64Array(0);
  const table = newTextTable<Met>();
  return {
    get all() {
      return all;
    },
    nameOf: (number) => known[number]?.identifier ?? '',
    weigh(weighName) {
      weights = weights.length < known.length ? new Float64Array(2 * known.length) : weights.fill(0);
      for (const met of all) weights[met.number] = weighName(met);
      return weights;
    },
    find: table.find,
    add(count, hash = hashToken(count.identifier, 0, count.identifier.length)) {
      const met = toMet(count, hash, known.length);
      all.push(met);
      known.push(met);
      table.add(met);
      return met;
    },
    renew(met, position) {
      met.inWords = 0;
      met.inCalls = 0;
      met.inWritten = 0;
      met.inSaid = 0;
      met.inResults = 0;
      met.inErrors = 0;
      met.first = position;
      met.last = position;
      met.used = -1;
      met.isForgotten = false;
      all.push(met);
    },
    keep(kept) {
      for (const met of all) met.isForgotten = true;
      for (const met of kept) met.isForgotten = false;
      for (const { isForgotten, number } of all) if (isForgotten) weights[number] = 0;
      all = [...kept];
      if (known.length - all.length <= mostForgotten) return false;
      known = [...kept];
      table.clear();
      known.forEach((met, number) => {
        met.number = number;
        table.add(met);
      });
      return true;
    },
  };
}

/** What is told of one, as it stands. */
export const toEvidence = (one: IdentifierEvidence): IdentifierEvidence => ({
  identifier: one.identifier,
  kind: one.kind,
  inWords: one.inWords,
  inCalls: one.inCalls,
  inWritten: one.inWritten,
  inSaid: one.inSaid,
  inResults: one.inResults,
  inErrors: one.inErrors,
  first: one.first,
  last: one.last,
  used: one.used,
});

/** All fields in one literal: objects of one shape are fast. */
const toMet = (one: IdentifierEvidence, hash: number, number: number): Met => ({
  text: one.identifier,
  hash,
  isTelling: isTelling(one.identifier, one.kind),
  isForgotten: false,
  kind: one.kind,
  last: one.last,
  used: one.used,
  inResults: one.inResults,
  inErrors: one.inErrors,
  inCalls: one.inCalls,
  inWritten: one.inWritten,
  inSaid: one.inSaid,
  inWords: one.inWords,
  first: one.first,
  identifier: one.identifier,
  number,
});
