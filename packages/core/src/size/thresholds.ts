import type { OptionRule } from '../check-options.ts';
import { isFields } from '../json.ts';
import { takeShare } from './budget-rule.ts';

/** One measure of how much. Fractions are of the effective window. */
export type Threshold = { readonly fraction: number } | { readonly tokens: number } | { readonly messages: number };

/** Several mean OR: for a trigger the first one reached fires; for keep, whichever of them allows the most counts. */
export type Thresholds = Threshold | readonly Threshold[];

const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0;

function isThreshold(value: unknown): value is Threshold {
  if (!isFields(value) || Object.keys(value).length !== 1) return false;
  const { fraction, tokens, messages } = value;
  return (isAmount(fraction) && fraction <= 1) || isAmount(tokens) || isAmount(messages);
}

/** What a trigger or a keep may be. */
export const thresholdsRule: OptionRule = {
  allows: (value) => (Array.isArray(value) ? value.every(isThreshold) : isThreshold(value)),
  words: '{ tokens }, { messages } or { fraction } (above 0, and at most 1), or a list of such',
};

const listThresholds = (thresholds: Thresholds | undefined): readonly Threshold[] =>
  thresholds === undefined ? [] : Array.isArray(thresholds) ? thresholds : [thresholds as Threshold];

/** The thresholds that are about tokens, in tokens. */
export const listTokens = (thresholds: Thresholds | undefined, effective: number): readonly number[] =>
  listThresholds(thresholds).flatMap((one) =>
    'tokens' in one ? Math.floor(one.tokens) : 'fraction' in one ? takeShare(effective, one.fraction) : [],
  );

/** The thresholds that are fractions. */
export const listFractions = (thresholds: Thresholds | undefined): readonly number[] =>
  listThresholds(thresholds).flatMap((one) => ('fraction' in one ? one.fraction : []));

/** The thresholds that are about the number of messages. */
export const listMessages = (thresholds: Thresholds | undefined): readonly number[] =>
  listThresholds(thresholds).flatMap((one) => ('messages' in one ? Math.floor(one.messages) : []));
