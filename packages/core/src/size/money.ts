import { type Budget, userTextRoom } from './budget.ts';
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
export const againOf = (pace: Pace, { again }: Pick<MoneyRule, 'again'>): number =>
  again * shareOfReturns(pace, USUAL_RETURNS);

/** How often calls come back to a file, by how often counts as enough: 1 at the most. */
const shareOfReturns = ({ touches, returns }: Pace, enough: number): number =>
  Math.min(1, (returns + 1) / (touches + 1) / enough);

/** Below every twentieth call none of the recorded sessions is: such a one goes from file to file, and never back. */
const NO_RETURNS = 0.05;

/** What messages may keep, where nobody stated it: less of the tail where nobody looks at it again. What the user typed has its room all the same. */
function keepForReturns(budget: Budget, pace: Pace): Budget {
  const { money, target, overhead = 0 } = budget;
  const { keepLeast = 1 } = money ?? {};
  const share = shareOfReturns(pace, NO_RETURNS);
  if (money?.keep !== true || share === 1 || target <= overhead) return budget;
  const kept = Math.floor((target - overhead) * (keepLeast + (1 - keepLeast) * share));
  return { ...budget, target: overhead + Math.max(1, kept), ownTarget: budget.ownTarget ?? target };
}

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
 * The budget as prices have it: compaction begins where it is cheapest, and at its ceiling at the latest. A trigger or a target that
 * somebody stated is left as it is. `typed`: what users typed behind the head. It stays, so half of the target is left beside it.
 */
export function priceBudget(stated: Budget, prices: Prices, pace: Pace, typed = 0): Budget {
  const kept = keepForReturns(stated, pace);
  const { money, trigger, warning, error, automatic, reactiveOnly = false, overhead = 0, head = 0 } = kept;
  if (money?.trigger !== true || trigger === Infinity || !automatic || reactiveOnly) return kept;
  const staying = overhead + Math.max(0, Math.min(typed, userTextRoom(kept) - head));
  const target = Math.max(kept.target, staying + Math.floor((kept.target - overhead) / 2));
  const reachable = { ...kept, target };
  const cheapest = Math.floor(cheapestTrigger(reachable, prices, growthOf(pace, money), againOf(pace, money)));
  if (!(cheapest < trigger)) return kept;
  const lower = (tokens: number): number => Math.max(0, tokens - (trigger - cheapest));
  return { ...reachable, trigger: cheapest, ceiling: trigger, warning: lower(warning), error: lower(error) };
}

/** The size above which a view is compacted on a cold cache; `Infinity`: it is not. */
export const coldTrigger = ({ money, target, overhead = 0 }: Budget, { state }: Pick<CacheState, 'state'>): number =>
  money === undefined || state !== 'cold' ? Infinity : overhead + money.coldFrom * (target - overhead);
