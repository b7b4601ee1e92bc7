import type { Usage } from './usage.ts';

/**
 * Tokens of the context = offset + ratio × estimate, a straight line that reported usage fits ever better.
 * `base` pins the line to the last report; a compaction takes the pin out (the report described another view),
 * the slope and what the host did not tell us about (`hidden`: an unstated system prompt) stay learned.
 */
export interface Meter {
  readonly ratio: number;
  readonly hidden: number;
  readonly base?: { readonly reported: number; readonly estimate: number; readonly cleared?: number };
}

/** Before the first report: tokens are what the estimate says. */
export const newMeter: Meter = { ratio: 1, hidden: 0 };

/** Tokens of a context, from its estimate and what reports have taught so far. */
export const sizeOf = (meter: Meter, estimate: number): number =>
  Math.max(
    0,
    Math.round(
      meter.base === undefined
        ? meter.hidden + meter.ratio * estimate
        : meter.base.reported + meter.ratio * (estimate - meter.base.estimate),
    ),
  );

/** Tokens of what is sent besides the messages, from its estimate: also what nobody stated. No single report decides it. */
export const sizeOfOverhead = (meter: Meter, estimate: number): number => sizeOf(voidBase(meter), estimate);

/** Tokens to an estimated one, by one view alone where the estimate is of everything: the meter follows its reports slowly. */
export const slopeOf = (meter: Meter, tokens: number, estimate: number, stated: boolean): number =>
  stated ? clampRatio(tokens / Math.max(1, estimate)) : meter.ratio;

/** Estimated tokens that must go to bring a size down by `tokens`. */
export const estimateFor = (meter: Meter, tokens: number): number => Math.ceil(tokens / meter.ratio);

export const voidBase = (meter: Meter): Meter => ({ ratio: meter.ratio, hidden: meter.hidden });

/** Why a report was not believed: no figure for the input; all zero; far too small, or no number; a sum over calls. */
export type UsageFault = 'missing' | 'zero' | 'absurd' | 'cumulative';

/** What became of a report: the meter from here on, or why it stays as it was. */
export type Reading =
  | { readonly type: 'accepted'; readonly meter: Meter; readonly tokens: number }
  | { readonly type: 'ignored'; readonly fault: UsageFault };

/** The estimate lies within 0.7× and 1.6× of the truth; what a report says beyond twice that band is not this context. */
const LEAST_RATIO = 1 / 1.6;
const MOST_RATIO = 1 / 0.7;
const LEAST = LEAST_RATIO / 2;
const MOST = MOST_RATIO * 2;

const asCount = (value: number | undefined): number | undefined =>
  value === undefined ? 0 : Number.isFinite(value) && value >= 0 ? value : undefined;

/**
 * What a report teaches. `estimate` is that of the view which was sent (its answer included, where `output` counts it);
 * `stated` tells whether the host stated system prompt and tools, so that the estimate is of everything.
 */
export function readUsage(meter: Meter, usage: Usage, estimate: number, window: number, stated: boolean): Reading {
  if (usage.input === undefined && usage.cacheRead === undefined && usage.cacheWrite === undefined)
    return { type: 'ignored', fault: 'missing' };
  const parts = [usage.input, usage.cacheRead, usage.cacheWrite].map(asCount);
  if (parts.some((part) => part === undefined)) return { type: 'ignored', fault: 'absurd' };
  const reported = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  if (reported === 0) return { type: 'ignored', fault: 'zero' };
  // The estimate is of what was sent; what the provider cleared of it is in no figure but its own.
  const tokens = reported + (asCount(usage.cleared) ?? 0);
  if (tokens < estimate * LEAST) return { type: 'ignored', fault: 'absurd' };
  if (reported > window * 1.05) return { type: 'ignored', fault: 'cumulative' };

  const known = meter.base === undefined ? undefined : sizeOf(meter, estimate) + (meter.base.cleared ?? 0);
  // A sum over the calls of a turn is a multiple of what the last report and the growth since allow.
  const expected = known ?? (stated ? estimate : undefined);
  const slack = 2_000;
  if (expected !== undefined && tokens > expected * MOST + slack) return { type: 'ignored', fault: 'cumulative' };
  if (known !== undefined && tokens > known * 1.6 + slack) return { type: 'ignored', fault: 'cumulative' };

  const line = stated
    ? { ratio: blendRatio(meter.ratio, tokens / Math.max(1, estimate), estimate), hidden: 0 }
    : splitReport(meter, tokens, estimate);
  const cleared = tokens - reported;
  const base = { reported, estimate, ...(cleared === 0 ? {} : { cleared }) };
  return { type: 'accepted', tokens: reported, meter: { ...line, base } };
}

/** Estimated tokens that say much, and fewer than say anything about growth. */
const MUCH = 20_000;
const LEAST_GROWTH = 500;

/** Small contexts say little about the slope; large ones much. */
function blendRatio(before: number, now: number, estimate: number): number {
  const weight = Math.min(0.5, estimate / MUCH);
  return clampRatio(before + (clampRatio(now) - before) * weight);
}

/**
 * Where part of the context may be unknown to us, a report is a sum of two unknowns. What a tokenizer can explain is taken for
 * its ratio; what no ratio explains is hidden for certain. Growth between two reports shows the slope, and what then remains
 * is taken for hidden by and by, the more the longer the growth was.
 */
function splitReport(meter: Meter, tokens: number, estimate: number): Pick<Meter, 'ratio' | 'hidden'> {
  const least = Math.max(0, tokens - MOST_RATIO * estimate);
  const most = Math.max(0, tokens - LEAST_RATIO * estimate);
  const clampHidden = (hidden: number): number => Math.min(most, Math.max(least, hidden));
  const { base } = meter;
  const grown = base === undefined ? 0 : estimate - base.estimate;
  if (base !== undefined && grown < LEAST_GROWTH) return { ratio: meter.ratio, hidden: clampHidden(meter.hidden) };
  let hidden = clampHidden(meter.hidden);
  if (base !== undefined) {
    const slope = clampRatio((tokens - base.reported - (base.cleared ?? 0)) / grown);
    const weight = Math.min(0.5, grown / Math.max(MUCH, estimate));
    hidden = clampHidden(hidden + (tokens - slope * estimate - hidden) * weight);
  }
  // Where only overhead explains a report it says nothing about the ratio.
  const isTaught = base !== undefined || least === 0;
  const seen = (tokens - hidden) / Math.max(1, estimate);
  return { ratio: isTaught ? blendRatio(meter.ratio, seen, estimate) : meter.ratio, hidden };
}

const clampRatio = (ratio: number): number => Math.min(MOST_RATIO, Math.max(LEAST_RATIO, ratio));
