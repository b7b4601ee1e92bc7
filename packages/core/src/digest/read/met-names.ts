import type { IdentifierEvidence } from '../evidence/evidence.ts';
import { hashToken } from '../evidence/scan-tokens.ts';
import { isTelling } from '../evidence/statement-names.ts';
import { type Known, newTextTable } from './text-table.ts';

/** An identifier that was met before: how often and where, and what need not be asked of it again. */
export type Met = Known & { -readonly [Key in keyof IdentifierEvidence]: IdentifierEvidence[Key] } & {
  /** It says something of this session. */
  readonly isTelling: boolean;
  /** What it was last found to be worth. */
  weight: number;
  isForgotten: boolean;
};

/** The identifiers met so far, in the order in which they were. A text need not be cut up to ask for one that stands in it. */
export interface MetNames {
  /** Without those that were forgotten. */
  readonly all: readonly Met[];
  /** Also one that was forgotten: what it is need not be found out again. */
  find(text: string, start: number, end: number, hash: number): Met | undefined;
  add(count: IdentifierEvidence, hash?: number): Met;
  /** One that was forgotten came again: it is counted from here on. */
  renew(met: Met, position: number): void;
  /** Forgets the others. */
  keep(isKept: (met: Met, number: number) => boolean): void;
}

/** So many that were forgotten are still found. */
const mostForgotten = 50_000;

export function newMetNames(): MetNames {
  let all: Met[] = [];
  let forgotten = 0;
  const table = newTextTable<Met>();
  return {
    get all() {
      return all;
    },
    find: table.find,
    add(count, hash = hashToken(count.identifier, 0, count.identifier.length)) {
      const met = toMet(count, hash);
      all.push(met);
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
      forgotten--;
      all.push(met);
    },
    keep(isKept) {
      const kept: Met[] = [];
      for (let number = 0; number < all.length; number++) {
        const met = all[number] as Met;
        if (isKept(met, number)) kept.push(met);
        else met.isForgotten = true;
      }
      forgotten += all.length - kept.length;
      all = kept;
      if (forgotten <= mostForgotten) return;
      forgotten = 0;
      table.clear();
      for (const met of all) table.add(met);
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
const toMet = (one: IdentifierEvidence, hash: number): Met => ({
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
  // A fraction, as all later ones.
  weight: Number.NaN,
});
