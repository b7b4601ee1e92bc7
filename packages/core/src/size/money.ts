import type { Budget } from './budget.ts';
import type { CacheState, Prices } from './cost.ts';
import type { MoneyRule } from './money-rule.ts';

/** What a session has said so far: what a call adds follows from it. */
export interface Pace {
  readonly tokens: number;
  readonly answers: number;
  /** Files that calls were about, and how many of these an earlier call had been about. */
  readonly touches: number;
  readonly returns: number;
}

/** From so many answers on a session's own pace counts. */
const KNOWN_PACE = 10;

/** What a call adds to the view, in tokens: at the session's own pace, once there is one. */
export const growthOf = ({ tokens, answers }: Pace, { growth }: Pick<MoneyRule, 'growth'>): number =>
  answers < KNOWN_PACE ? growth : tokens / answers;

/** A session that comes back to a file less often than with every fourth call is unusual: next to none of the recorded ones. */
const USUAL_RETURNS = 0.25;

/**
 * What is read again because a compaction hid it, in tokens: less where calls seldom come back to a file that they were about
 * before. One return is taken for granted, so a session that has touched few files counts as a usual one.
 */
export const againOf = ({ touches, returns }: Pace, { again }: Pick<MoneyRule, 'again'>): number =>
  again * Math.min(1, (returns + 1) / (touches + 1) / USUAL_RETURNS);

/**
 * The size at which a compaction is cheapest. From K tokens kept to T at g tokens a call, a cycle of (T − K) ÷ g calls costs
 * (w − r) · K for what is written anew and w · a for what is read again, and r · (T + K) ÷ 2 at every call. The sum by call
 * is least at T = K + √(2 · ((w − r) · K + w · a) · g ÷ r). What is sent besides the messages is never written anew.
 */
export function cheapestTrigger(
  { target, overhead = 0 }: Pick<Budget, 'target' | 'overhead'>,
  { cacheRead, cacheWrite }: Prices,
  growth: number,
  again: number,
): number {
  const anew = Math.max(0, cacheWrite - cacheRead) * Math.max(0, target - overhead) + cacheWrite * again;
  return cacheRead > 0 ? target + Math.sqrt((2 * anew * growth) / cacheRead) : Infinity;
}

/**
 * The budget as prices have it: compaction begins where it is cheapest, and at its ceiling at the latest. A trigger that
 * somebody stated is left as it is.
 */
export function priceBudget(budget: Budget, prices: Prices, pace: Pace): Budget {
  const { money, trigger, warning, error, automatic, reactiveOnly = false } = budget;
  if (money?.trigger !== true || trigger === Infinity || !automatic || reactiveOnly) return budget;
  const cheapest = Math.floor(cheapestTrigger(budget, prices, growthOf(pace, money), againOf(pace, money)));
  if (!(cheapest < trigger)) return budget;
  const lower = (tokens: number): number => Math.max(0, tokens - (trigger - cheapest));
  return { ...budget, trigger: cheapest, ceiling: trigger, warning: lower(warning), error: lower(error) };
}

/** The size above which a view is compacted on a cold cache; `Infinity`: it is not. */
export const coldTrigger = ({ money, target, overhead = 0 }: Budget, { state }: Pick<CacheState, 'state'>): number =>
  money === undefined || state !== 'cold' ? Infinity : overhead + money.coldFrom * (target - overhead);
