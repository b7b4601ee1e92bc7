import type { IdentifierEvidence } from '../evidence/evidence.ts';
import { hashToken } from '../evidence/scan-tokens.ts';
import { isTelling } from '../evidence/statement-names.ts';
import { newTextTable } from './text-table.ts';

/** An identifier that was met before: how often and where, and what need not be asked of it again. */
export type Met = { -readonly [Key in keyof IdentifierEvidence]: IdentifierEvidence[Key] } & {
  /** It says something of this session. */
  readonly isTelling: boolean;
  readonly hash: number;
  /** What it was last found to be worth. */
  weight: number;
  isForgotten: boolean;
};

/** The identifiers met so far, in the order in which they were. A text need not be cut up to ask for one that stands in it. */
export interface MetNames {
  readonly all: readonly Met[];
  find(text: string, start: number, end: number, hash: number): Met | undefined;
  add(count: IdentifierEvidence, hash?: number): Met;
  /** Forgets the others. */
  keep(isKept: (met: Met, number: number) => boolean): void;
}

export function newMetNames(): MetNames {
  let all: Met[] = [];
  const numbers = newTextTable((number) => all[number]?.identifier ?? '');
  return {
    get all() {
      return all;
    },
    find: (text, start, end, hash) => all[numbers.find(text, start, end, hash)],
    add(count, hash = hashToken(count.identifier, 0, count.identifier.length)) {
      const met = toMet(count, hash);
      numbers.add(hash, all.push(met) - 1);
      return met;
    },
    keep(isKept) {
      all = all.filter((met, number) => {
        met.isForgotten = !isKept(met, number);
        return !met.isForgotten;
      });
      numbers.clear();
      all.forEach(({ hash }, number) => {
        numbers.add(hash, number);
      });
    },
  };
}

const toMet = (one: IdentifierEvidence, hash: number): Met => ({
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
  isTelling: isTelling(one.identifier, one.kind),
  hash,
  weight: 0,
  isForgotten: false,
});

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
