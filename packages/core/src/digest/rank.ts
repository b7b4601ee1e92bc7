import type { IdentifierEvidence } from './evidence.ts';
import { type IdentifierKind, visitParts } from './identifiers.ts';

/**
 * How likely an identifier is needed again. The weights are those of a logistic regression on what agents used after 84
 * cuts through recorded sessions of five agents, rounded: what the model put into its own calls counts most, then what
 * was used recently, then what stands in several places; numbers and hyphenated words seldom come back.
 */
const weights = {
  inCalls: 0.65,
  inWritten: 0.3,
  inWords: 0.3,
  inSaid: 0.2,
  inResults: 0.2,
  inErrors: 0.2,
  usedLately: 1.1,
  seenLately: 0.7,
  seenJustNow: 0.5,
  /** How much of the span lies between the first and the last time. */
  spread: 0.5,
} as const;

const priors: Readonly<Record<IdentifierKind, number>> = {
  flag: 0,
  variable: 0,
  hash: -0.3,
  url: -0.4,
  name: -0.6,
  path: -0.6,
  number: -1.6,
};

const latelyChars = 100_000;
const justNowChars = 10_000;

const log = (count: number): number => (count === 0 ? 0 : Math.log2(1 + count));

/** Odds (not a probability) that the identifier comes back, seen from `end`, the position where the span ends. */
export function needOdds(one: IdentifierEvidence, end: number): number {
  const age = end - one.last;
  let sum = priors[one.kind];
  for (const source of ['inCalls', 'inWritten', 'inWords', 'inSaid', 'inResults', 'inErrors'] as const) {
    sum += weights[source] * log(one[source]);
  }
  if (one.used >= 0) sum += weights.usedLately * Math.exp(-(end - one.used) / latelyChars);
  sum += weights.seenLately * Math.exp(-age / latelyChars) + weights.seenJustNow * Math.exp(-age / justNowChars);
  sum += (weights.spread * (one.last - one.first)) / (end + 1);
  return Math.exp(sum + shapeWeight(one));
}

function shapeWeight({ identifier, kind }: IdentifierEvidence): number {
  if (kind === 'name') return identifier.includes('-') ? -1 : identifier.includes('.') ? 0.2 : 0;
  // Round numbers are limits, sizes and timeouts that someone chose.
  return kind === 'number' && identifier.endsWith('0') ? 0.7 : 0;
}

/** A long identifier takes the place of two short ones, but is also more exact: the exponent is the best of five tried. */
const lengthExponent = 0.7;

/** The identifiers worth their place, best first. One that says shorter ones too is worth as much as all of them. */
export function rankIdentifiers(
  all: readonly IdentifierEvidence[],
  end: number,
  most: number,
): readonly IdentifierEvidence[] {
  const odds = new Map(all.map((one) => [one.identifier, needOdds(one, end)]));
  const worth = all.map((one) => {
    const sum = odds.get(one.identifier)!;
    return { one, worth: sum / (one.identifier.length + 1) ** lengthExponent };
  });
  worth.sort((a, b) => b.worth - a.worth || (a.one.identifier < b.one.identifier ? -1 : 1));
  return worth.slice(0, most).map(({ one }) => one);
}
