import {
  DEFAULT_PRICES,
  DEFAULT_TTL_MS,
  estimateMessage,
  estimatePart,
  type Message,
  type Prices,
} from '@palimpsest/core';
import { memoize } from '../memoize.ts';

/** What requests came to, in tokens. */
export interface Bill {
  readonly calls: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** What a model wrote for summaries. */
  readonly summaries: number;
}

const MILLION = 1_000_000;

export const countPromptTokens = ({ cacheRead, cacheWrite }: Bill): number => cacheRead + cacheWrite;

/** What prompts and summaries cost. Answers cost the same whatever was hidden, and are left out. */
export const priceBill = ({ cacheRead, cacheWrite, summaries }: Bill, prices: Prices = DEFAULT_PRICES): number =>
  (cacheRead * prices.cacheRead + cacheWrite * prices.cacheWrite + summaries * prices.output) / MILLION;

export interface PrefixCache {
  request(view: readonly Message[], when: number | undefined): void;
  /** A summary of the view is asked for behind the same prefix. It is billed, and no call of the agent's own. */
  summarize(view: readonly Message[], when: number | undefined, tokens: number): void;
  /** A summary of so many tokens is asked for in a request of its own: what it reads is in no cache. */
  summarizeApart(read: number, tokens: number): void;
  bill(): Bill;
}

/**
 * A provider's prompt cache: what a request has in common with the one before it, from the start, part by part, is read;
 * the rest is written. After a pause longer than the cache lives, all of it is.
 */
export function newPrefixCache(systemTokens: number): PrefixCache {
  const sizeOf = memoize(estimateMessage);
  let before: readonly Message[] | undefined;
  let lastWhen: number | undefined;
  let [calls, cacheRead, cacheWrite, summaries] = [0, 0, 0, 0];

  const send = (view: readonly Message[], when: number | undefined): void => {
    const total = view.reduce((sum, message) => sum + sizeOf(message), systemTokens);
    const isCold = when !== undefined && lastWhen !== undefined && when - lastWhen > DEFAULT_TTL_MS;
    const read = before === undefined || isCold ? 0 : systemTokens + countCommonTokens(before, view, sizeOf);
    cacheRead += read;
    cacheWrite += total - read;
    before = view;
    lastWhen = when ?? lastWhen;
  };

  return {
    request(view, when) {
      calls++;
      send(view, when);
    },
    summarize(view, when, tokens) {
      send(view, when);
      summaries += tokens;
    },
    summarizeApart(read, tokens) {
      cacheWrite += read;
      summaries += tokens;
    },
    bill: () => ({ calls, cacheRead, cacheWrite, summaries }),
  };
}

function countCommonTokens(
  before: readonly Message[],
  view: readonly Message[],
  sizeOf: (message: Message) => number,
): number {
  let tokens = 0;
  for (const [i, message] of view.entries()) {
    const earlier = before[i];
    if (earlier === undefined) return tokens;
    if (earlier !== message) {
      if (earlier.role !== message.role) return tokens;
      const parts = countCommonParts(earlier, message);
      for (const part of message.parts.slice(0, parts)) tokens += estimatePart(part);
      if (parts < message.parts.length || parts < earlier.parts.length) return tokens;
    } else tokens += sizeOf(message);
  }
  return tokens;
}

function countCommonParts(one: Message, other: Message): number {
  let count = 0;
  while (count < one.parts.length && count < other.parts.length && isSameBytes(one.parts[count], other.parts[count]))
    count++;
  return count;
}

/** A cache compares what is sent, so the order of fields counts. */
const isSameBytes = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
