import type { IdentifierEvidence } from './evidence.ts';

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

/** What an identifier is worth in a statement, seen from `end`, the position where the span ends. */
export function weighName(one: IdentifierEvidence, end: number): number {
  const times = one.inWords + one.inCalls + one.inWritten + one.inSaid + one.inResults + one.inErrors;
  const newness = 1 + newFactor * Math.exp(-(end - one.last) / newChars);
  const used = one.used >= 0 ? usedFactor : 1;
  const file = one.kind === 'path' || fileName.test(one.identifier) ? fileFactor : 1;
  return Math.min(times, mostTimes) ** timesExponent * used * newness * file;
}
