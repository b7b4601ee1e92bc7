import type { IdentifierEvidence } from './evidence.ts';
import type { IdentifierKind } from './scan-identifiers.ts';

/**
 * How likely an identifier is needed again. The weights come from a logistic regression on what agents used after 84
 * cuts through recorded sessions of five agents, then a search for what gets most of it into an index of 1,300 to 9,000
 * characters, rounded: what the model put into its own calls counts most, then what was used lately, then what stands
 * in several places; numbers that a tool printed and hyphenated words seldom come back.
 */
const weights = {
  inCalls: 0.65,
  inWritten: 0.25,
  inWords: 0.3,
  inSaid: 0.2,
  inResults: 0.2,
  inErrors: 0.05,
  usedLately: 1.5,
  seenLately: 0.5,
  seenJustNow: 0.2,
  /** How much of the span lies between the first and the last time. */
  spread: 0.6,
} as const;

const priors: Readonly<Record<IdentifierKind, number>> = {
  flag: 0.6,
  variable: 0,
  hash: -2,
  url: -1,
  name: -0.4,
  path: 0,
  number: -2.2,
};

const latelyChars = 100_000;
const justNowChars = 10_000;

const logOf = (count: number): number => (count === 0 ? 0 : Math.log2(1 + count));

/** Odds (not a probability) that the identifier comes back, seen from `end`, the position where the span ends. */
export function needOdds(one: IdentifierEvidence, end: number): number {
  const age = end - one.last;
  let sum = priors[one.kind];
  for (const source of ['inCalls', 'inWritten', 'inWords', 'inSaid', 'inResults', 'inErrors'] as const) {
    sum += weights[source] * logOf(one[source]);
  }
  if (one.used >= 0) sum += weights.usedLately * Math.exp(-(end - one.used) / latelyChars);
  sum += weights.seenLately * Math.exp(-age / latelyChars) + weights.seenJustNow * Math.exp(-age / justNowChars);
  sum += (weights.spread * (one.last - one.first)) / (end + 1);
  return Math.exp(sum + shapeWeight(one));
}

function shapeWeight(one: IdentifierEvidence): number {
  const { identifier, kind } = one;
  const called = one.inCalls > 0;
  switch (kind) {
    case 'name':
      // Hyphens join words of prose as often as names.
      if (identifier.includes('-') && !identifier.includes('.')) return called ? -1.5 : -2.5;
      if (identifier.includes('.')) return 0.55;
      return /^\d/.test(identifier) ? -1 : /\d/.test(identifier) ? -0.4 : 0;
    case 'number':
      // Round numbers are limits, sizes and timeouts that someone chose; others that a tool printed are counts and lines.
      return (identifier.endsWith('0') ? 2 : 0) + (one.used < 0 ? 0 : 2.2);
    case 'hash':
      return one.used < 0 ? 0 : 1.7;
    case 'flag':
      return called ? 0.6 : 0;
    case 'variable':
      return called ? 0.8 : 0;
    case 'path':
      // "teal/green" is prose, unless someone called it so.
      if (!called && /^[\w$-]+\/[\w-]+$/.test(identifier)) return -1.5;
      return identifier.endsWith('/') ? -1.6 : /\.[A-Za-z]\w{0,7}$/.test(identifier) ? 0.5 : 0;
    default:
      return 0;
  }
}

/** A long identifier takes the place of two short ones, but is also more exact: the exponent is the best of five tried. */
const lengthExponent = 0.85;

export const worthOf = (odds: number, identifier: string): number => odds / (identifier.length + 1) ** lengthExponent;

/** The identifiers worth their place, best first. */
export function rankIdentifiers(
  all: readonly IdentifierEvidence[],
  end: number,
  most: number,
): readonly IdentifierEvidence[] {
  const worth = all.map((one) => ({ one, worth: worthOf(needOdds(one, end), one.identifier) }));
  worth.sort((a, b) => b.worth - a.worth || (a.one.identifier < b.one.identifier ? -1 : 1));
  return worth.slice(0, most).map(({ one }) => one);
}
