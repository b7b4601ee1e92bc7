import type { Prices } from '@palimpsest/core';
import { knownModel } from './known-models.ts';

/** Anthropic's five-minute cache: written at a quarter more than input costs, read at a tenth of it. */
const anthropic = (input: number, output: number): Prices => ({
  input,
  output,
  cacheRead: input / 10,
  cacheWrite: input * 1.25,
});

/** Where caching is implicit, nothing is paid for writing. */
const implicit = (input: number, cacheRead: number, output: number): Prices => ({
  input,
  output,
  cacheRead,
  cacheWrite: input,
});

/**
 * In dollars a million tokens, as the vendors' price lists had them for requests of usual length. They change, and a contract
 * may say otherwise: a host states its own where it knows better. A model that is not here has no price, and none is guessed.
 */
const PRICES: Readonly<Record<string, Prices>> = {
  'claude-opus-4-5': anthropic(5, 25),
  'claude-sonnet-4-5': anthropic(3, 15),
  'claude-haiku-4-5': anthropic(1, 5),
  'gpt-5.1': implicit(1.25, 0.125, 10),
  'gpt-5': implicit(1.25, 0.125, 10),
  'gpt-5-mini': implicit(0.25, 0.025, 2),
  'gpt-5-nano': implicit(0.05, 0.005, 0.4),
  'gpt-4.1': implicit(2, 0.5, 8),
  'gpt-4.1-mini': implicit(0.4, 0.1, 1.6),
  'gpt-4.1-nano': implicit(0.1, 0.025, 0.4),
  o3: implicit(2, 0.5, 8),
  'o4-mini': implicit(1.1, 0.275, 4.4),
  'gpt-4o': implicit(2.5, 1.25, 10),
  'gpt-4o-mini': implicit(0.15, 0.075, 0.6),
};

/** What a model's tokens cost, where that is known. */
export function knownPrices(name: string): Prices | undefined {
  const model = knownModel(name)?.name;
  return model === undefined ? undefined : PRICES[model];
}
