import type { IdentifierEvidence } from '../evidence/evidence.ts';
import { hashToken } from '../evidence/scan-tokens.ts';
import { isTelling } from '../evidence/statement-names.ts';

type Count = { -readonly [Key in keyof IdentifierEvidence]: IdentifierEvidence[Key] };

/** An identifier that was met before, and what need not be asked of it again. */
export interface Met {
  readonly count: Count;
  /** It says something of this session. */
  readonly isTelling: boolean;
  readonly hash: number;
  /** What it was last found to be worth. */
  weight: number;
  isForgotten: boolean;
}

/** The identifiers met so far, in the order in which they were. A text need not be cut up to ask for one that stands in it. */
export interface MetNames {
  readonly all: readonly Met[];
  find(text: string, start: number, end: number, hash: number): Met | undefined;
  /** Counts from here on are kept in `count`. */
  add(count: Count, hash?: number): Met;
  /** Forgets all others. */
  keep(isKept: (met: Met) => boolean): void;
}

/** A table of twice as many slots as there are names, each name in the first free one from its hash on. */
export function newMetNames(): MetNames {
  let all: Met[] = [];
  let slots = new Int32Array(leastSlots);

  const enter = (met: Met, number: number): void => {
    let slot = met.hash & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = number + 1;
  };
  const enterAll = (size: number): void => {
    slots = new Int32Array(size);
    all.forEach(enter);
  };

  return {
    get all() {
      return all;
    },
    find(text, start, end, hash) {
      for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
        const met = all[(slots[slot] ?? 0) - 1];
        if (met === undefined || (met.hash === hash && isAt(text, start, end, met.count.identifier))) return met;
      }
    },
    add(count, hash = hashToken(count.identifier, 0, count.identifier.length)) {
      const says = isTelling(count.identifier, count.kind);
      const met = { count, isTelling: says, hash, weight: 0, isForgotten: false };
      all.push(met);
      if (all.length * 2 > slots.length) enterAll(slots.length * 2);
      else enter(met, all.length - 1);
      return met;
    },
    keep(isKept) {
      all = all.filter((met) => {
        met.isForgotten = !isKept(met);
        return !met.isForgotten;
      });
      enterAll(slots.length);
    },
  };
}

/** A power of two. */
const leastSlots = 1_024;

function isAt(text: string, start: number, end: number, name: string): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}
