import type { RequestLine } from '@palimpsest/gateway';
import { knownPrices } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';
import { createRunAccount } from '../src/gateway/run-account.ts';

const line = (fields: Partial<RequestLine>): RequestLine => ({
  id: 'r',
  at: 0,
  method: 'POST',
  path: '/v1/messages',
  status: 200,
  totalMs: 1,
  bytesIn: 1,
  bytesOut: 1,
  model: 'claude-sonnet-4-5',
  session: 's',
  ...fields,
});

const CALLS = 400;
const GROWTH = 1_000;

/** 50,000 tokens are said; then 30,000 go, 6,000 behind them are written anew, and a thousand are said at each call. */
const listLines = (model?: string): readonly RequestLine[] =>
  Array.from({ length: CALLS }, (_, n) => {
    const before = 50_000 + n * GROWTH;
    const named = model === undefined ? {} : { model };
    if (n === 0) return line({ ...named, tokens: { before, after: before }, usage: { cacheWrite: before } });
    const tokens = { before, after: before - 30_000 };
    if (n > 1) return line({ ...named, tokens, usage: { cacheWrite: GROWTH, cacheRead: tokens.after - GROWTH } });
    const usage = { cacheWrite: GROWTH + 6_000, cacheRead: tokens.after - GROWTH - 6_000 };
    return line({ ...named, tokens, usage, compaction: { before, after: tokens.after } });
  });

const describeRun = (lines: readonly RequestLine[]): string => {
  const account = createRunAccount();
  for (const one of lines) account.add(one);
  return account.describe();
};

describe('what a run saved', () => {
  it('is what went, at the price of a cached read for each request, less what a compaction wrote anew', () => {
    const prices = knownPrices('claude-sonnet-4-5');
    const reads = ((CALLS - 1) * 30_000 * (prices?.cacheRead ?? 0)) / 1_000_000;
    const rewrites = (6_000 * ((prices?.cacheWrite ?? 0) - (prices?.cacheRead ?? 0))) / 1_000_000;
    const saved = /about \$([\d.]+) saved/.exec(describeRun(listLines()))?.[1];
    expect(Number(saved)).toBeCloseTo(reads - rewrites, 1);
  });

  it('is stated without money where a model has no known price', () => {
    expect(describeRun(listLines('house-model'))).toBe(
      `${CALLS} requests, 1 compaction, ${((CALLS - 1) * 30_000).toLocaleString('en-US')} tokens not sent`,
    );
  });

  it('is a loss where the conversation ended right behind a compaction', () => {
    expect(describeRun(listLines().slice(0, 2))).toMatch(/about \$[\d.]+ lost$/);
  });

  it('counts no request that asks no model', () => {
    const { model: _, session: __, ...bare } = line({});
    expect(describeRun([bare])).toBe('no request came through the gateway');
  });
});
