import type { Usage } from './usage.ts';

/** What tokens cost, in money per million. Data that a host passes; the table below is a dated default. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Relative prices of Anthropic's five-minute cache as of November 2026, for a model at 3 a million input tokens. */
export const DEFAULT_PRICES: Prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

/** How long a provider's cache is taken to live after a call: five minutes. */
export const DEFAULT_TTL_MS = 5 * 60_000;
/** Calls until the next compaction, where nobody knows: a batch that needs more than these to pay is not worth its cache break. */
export const DEFAULT_REMAINING_CALLS = 20;

/** What the cost model starts from. A session knows it from the times of its views; hosts of `plan()` may state it. */
export interface CacheState {
  /** `warm`: the last view is younger than the cache lives. `unknown`: nobody gave times; it counts as warm. */
  readonly state: 'warm' | 'cold' | 'unknown';
  readonly prices: Prices;
  /** How many more calls this session is expected to make before the next compaction anyway. */
  readonly remainingCalls: number;
}

/** A change of the view that is to be priced. */
export interface Proposal {
  /** Tokens that go. */
  readonly freed: number;
  /** Tokens behind the first change: what the cache no longer serves. */
  readonly behind: number;
  /** Money that the change itself costs, such as a summary call. */
  readonly extra?: number;
  /** Why it is done whatever it costs: the limit is near, or somebody asked for it. */
  readonly forced?: string;
}

/** What a change costs and saves, in the money of the prices. */
export interface Payback {
  readonly pays: boolean;
  /** Once, at the next call: what the cache no longer serves, and `extra`. */
  readonly costNow: number;
  readonly savedPerCall: number;
  /** `Infinity` where it never does. */
  readonly callsToPayBack: number;
  /** In words, for the receipt. */
  readonly reason: string;
}

const MILLION = 1_000_000;

/** What a call costs at these prices. */
export function costOfUsage(usage: Usage, prices: Prices): number {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, cacheWriteHour = 0 } = usage;
  const written = (cacheWrite - cacheWriteHour) * prices.cacheWrite + cacheWriteHour * prices.input * 2;
  return (input * prices.input + output * prices.output + cacheRead * prices.cacheRead + written) / MILLION;
}

/** Whether a rewrite pays. Cold cache: everything is written anew anyway, so it is free. Warm: it must earn its cache break. */
export function payback({ state, prices, remainingCalls }: CacheState, proposal: Proposal): Payback {
  const { freed, behind, extra = 0, forced } = proposal;
  const cold = state === 'cold';
  const costNow = extra + (cold ? 0 : ((prices.cacheWrite - prices.cacheRead) * behind) / MILLION);
  const savedPerCall = (prices.cacheRead * freed) / MILLION;
  const firstCall = cold ? (prices.cacheWrite * freed) / MILLION : 0;
  const callsToPayBack =
    costNow <= firstCall ? 0 : savedPerCall === 0 ? Infinity : Math.ceil((costNow - firstCall) / savedPerCall);
  const pays = freed > 0 && (forced !== undefined || callsToPayBack <= remainingCalls);
  const reason =
    forced !== undefined
      ? `${forced} (${freed} tokens go)`
      : cold && extra === 0
        ? `cold cache: ${freed} tokens less to write`
        : `${state} cache: ${freed} tokens in front of ${behind} pay back after ${callsToPayBack} calls, ${remainingCalls} expected`;
  return { pays, costNow, savedPerCall, callsToPayBack, reason };
}
