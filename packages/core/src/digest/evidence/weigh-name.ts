import type { IdentifierEvidence } from './evidence.ts';
import type { IdentifierKind } from './scan-identifiers.ts';

/** More often than this says no more. */
const mostTimes = 12;
const timesExponent = 0.6;
const timesWorth = Float64Array.from({ length: mostTimes + 1 }, (_, times) => times ** timesExponent);
/** What the user or the model used themselves, over what only results show. */
const usedFactor = 5;
/** What stands at the end weighs `e ** newness` times what stood long ago; in `newChars` characters newness falls to a third. */
const newness = 2;
const newChars = 150_000;
/** Hyphens join words of prose as often as names. */
const hyphenFactor = 0.3;

const hyphened = /^[a-z]+(?:-[a-z]+)+$/;

/** Whether a name looks like words that hyphens join. */
export const isHyphened = (name: string, kind: IdentifierKind): boolean =>
  kind === 'name' && name.includes('-') && hyphened.test(name);

/**
 * How likely an identifier is needed again, seen from `end`, the position where the span ends. A logistic regression on what
 * agents used after 71 cuts through recordings, each project told by the others, says so; more features (kind, source, spread) added
 * less than one point.
 */
export function weighName(one: IdentifierEvidence, end: number): number {
  const times = one.inWords + one.inCalls + one.inWritten + one.inSaid + one.inResults + one.inErrors;
  const isWeak = one.inCalls === 0 && isHyphened(one.identifier, one.kind);
  return weighUse(times, end - one.last, one.used >= 0, isWeak);
}

/** The same of one that stood so often, last so many characters ago. `isWeak`: it may be words, and no call names it. */
export function weighUse(times: number, ago: number, isUsed: boolean, isWeak: boolean): number {
  const age = Math.exp(newness * Math.exp(-ago / newChars));
  return (
    (timesWorth[Math.min(times, mostTimes)] as number) * (isUsed ? usedFactor : 1) * age * (isWeak ? hyphenFactor : 1)
  );
}
