import type { Evidence, IdentifierEvidence } from '../evidence/evidence.ts';
import { visitParts } from '../evidence/scan-identifiers.ts';
import { isTelling } from '../evidence/statement-names.ts';

/** More often than this says no more. */
const mostTimes = 12;
const timesExponent = 0.7;
/** What the user or the model used themselves, over what only results show. */
const usedFactor = 3;
/** What stood near the end counts up to so many times more; the distance, in characters, over which that falls to a third. */
const newFactor = 3;
const newChars = 100_000;
/** A file's name leads to all that is in it. */
const fileFactor = 1.5;

const fileName = /\.[A-Za-z]\w{0,7}$/;

/** The names of a span by number, with what each is worth in a digest. */
export interface NameWeights {
  readonly weights: readonly number[];
  /** The numbers of a name and of the shorter ones that it says too. */
  listNumbers(name: string): readonly number[];
}

export function weighNames({ identifiers, chars }: Evidence): NameWeights {
  const numbers = new Map<string, number>();
  const weights: number[] = [];
  for (const one of identifiers)
    if (isTelling(one.identifier, one.kind)) numbers.set(one.identifier, weights.push(weighName(one, chars)) - 1);
  const known = new Map<string, readonly number[]>();
  return {
    weights,
    listNumbers(name) {
      const before = known.get(name);
      if (before !== undefined) return before;
      const found = new Set<number>();
      const add = (part: string): void => {
        const number = numbers.get(part);
        if (number !== undefined) found.add(number);
      };
      add(name);
      visitParts(name, add);
      const list = [...found];
      known.set(name, list);
      return list;
    },
  };
}

function weighName(one: IdentifierEvidence, end: number): number {
  const times = one.inWords + one.inCalls + one.inWritten + one.inSaid + one.inResults + one.inErrors;
  const newness = 1 + newFactor * Math.exp(-(end - one.last) / newChars);
  const used = one.used >= 0 ? usedFactor : 1;
  const file = one.kind === 'path' || fileName.test(one.identifier) ? fileFactor : 1;
  return Math.min(times, mostTimes) ** timesExponent * used * newness * file;
}
