import type { IdentifierEvidence } from '../evidence/evidence.ts';
import { hashToken } from '../evidence/scan-tokens.ts';
import { isTelling } from '../evidence/statement-names.ts';

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

/** A power of two. */
const leastSlots = 1_024;

/** A table of twice as many slots as there are names, each name in the first free one from its hash on. */
export function newMetNames(): MetNames {
  let all: Met[] = [];
  let last = leastSlots - 1;
  /** Numbers, counted from one. */
  let slots = new Int32Array(leastSlots);
  let hashes = new Int32Array(leastSlots);

  const enter = (met: Met, number: number): void => {
    let slot = met.hash & last;
    while (slots[slot] !== 0) slot = (slot + 1) & last;
    slots[slot] = number + 1;
    hashes[slot] = met.hash;
  };
  const enterAll = (size: number): void => {
    last = size - 1;
    slots = new Int32Array(size);
    hashes = new Int32Array(size);
    all.forEach(enter);
  };

  return {
    get all() {
      return all;
    },
    find(text, start, end, hash) {
      for (let slot = hash & last; slots[slot] !== 0; slot = (slot + 1) & last) {
        const met = hashes[slot] === hash ? all[(slots[slot] ?? 0) - 1] : undefined;
        if (met?.identifier.length === end - start && text.startsWith(met.identifier, start)) return met;
      }
      return undefined;
    },
    add(count, hash = hashToken(count.identifier, 0, count.identifier.length)) {
      const met = toMet(count, hash);
      all.push(met);
      if (all.length * 2 > slots.length) enterAll(slots.length * 2);
      else enter(met, all.length - 1);
      return met;
    },
    keep(isKept) {
      all = all.filter((met, number) => {
        met.isForgotten = !isKept(met, number);
        return !met.isForgotten;
      });
      enterAll(slots.length);
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
