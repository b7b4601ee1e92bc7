import { knownPrices } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';

describe('what is known of prices', () => {
  it.each([
    ['claude-opus-4-5', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
    ['claude-opus-4-5-20251101', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
    ['claude-opus-4.8', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
    ['claude-opus-4-8[1m]', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
    ['anthropic/claude-sonnet-4.6', { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
    ['gpt-5.5', { input: 5, output: 30, cacheRead: 0.5, cacheWrite: 5 }],
    ['gpt-5-2025-08-07', { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 }],
    ['gemini-3-flash', { input: 0.5, output: 3, cacheRead: 0.05, cacheWrite: 0.5 }],
    ['deepseek/deepseek-chat', { input: 0.28, output: 0.42, cacheRead: 0.028, cacheWrite: 0.28 }],
  ])('%s has the price of its vendor’s list', (model, prices) => {
    const found = knownPrices(model);
    for (const [field, price] of Object.entries(prices))
      expect(found?.[field as keyof typeof found]).toBeCloseTo(price, 10);
  });

  it.each(['gpt-5.3-codex-spark', 'claude-haiku-5-5', 'gpt-6.1', 'qwen3.5-plus', 'unknown', 'opus', 'constructor', ''])(
    '%s has no known price, and none is guessed from its name',
    (model) => {
      expect(knownPrices(model)).toBeUndefined();
    },
  );
});
