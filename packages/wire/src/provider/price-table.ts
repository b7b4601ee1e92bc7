import type { Prices } from '@palimpsest/core';

/** When the vendors' price pages were last read. */
export const PRICES_DATE = '2026-11';

/** Anthropic: the five-minute cache costs a quarter more to write than input, and a tenth of it to read unless stated. */
const anthropic = (input: number, output: number, cacheRead = input / 10): Prices => ({
  input,
  output,
  cacheRead,
  cacheWrite: input * 1.25,
});

/** Caching is implicit and writing costs nothing extra, unless stated. */
const implicit = (input: number, cacheRead: number, output: number, cacheWrite = input): Prices => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

/**
 * US dollars for a million tokens, at the standard tier and for prompts of usual length. Prices change, and a contract may say
 * otherwise: callers can state their own. A model that is not here has no known price; `claude-haiku-5-5` is not, because its price
 * depends on the length of the prompt.
 */
export const PRICE_TABLE: Readonly<Record<string, Prices>> = {
  'claude-fable-5-1': anthropic(10, 50, 0.25),
  'claude-fable-5': anthropic(10, 50),
  'claude-opus-5-5': anthropic(4, 20, 0.2),
  'claude-opus-5': anthropic(5, 25),
  'claude-opus-4-8': anthropic(5, 25),
  'claude-opus-4-7': anthropic(5, 25),
  'claude-opus-4-6': anthropic(5, 25),
  'claude-opus-4-5': anthropic(5, 25),
  'claude-opus-4-1': anthropic(15, 75),
  'claude-opus-4': anthropic(15, 75),
  'claude-3-opus': anthropic(15, 75),
  'claude-sonnet-5-5': anthropic(2, 10),
  'claude-sonnet-5': anthropic(2, 10),
  'claude-sonnet-4-6': anthropic(3, 15),
  'claude-sonnet-4-5': anthropic(3, 15),
  'claude-sonnet-4': anthropic(3, 15),
  'claude-haiku-4-5': anthropic(1, 5),
  'claude-3-5-haiku': anthropic(0.8, 4),

  'gpt-6-astra': implicit(10, 1, 50, 12.5),
  'gpt-6.1-sol': implicit(2, 0.1, 10, 2.5),
  'gpt-6-sol': implicit(2, 0.2, 10, 2.5),
  'gpt-6-luna': implicit(0.1, 0.01, 0.5, 0.125),
  'gpt-5.6-sol': implicit(4, 0.4, 20, 5),
  'gpt-5.6-terra': implicit(2, 0.2, 12, 2.5),
  'gpt-5.6-luna': implicit(0.2, 0.02, 1.2, 0.25),
  'gpt-5.5': implicit(5, 0.5, 30),
  'gpt-5.4': implicit(2.5, 0.25, 15),
  'gpt-5.4-mini': implicit(0.75, 0.075, 4.5),
  'gpt-5.3-codex': implicit(1.75, 0.175, 14),
  'gpt-5.2-codex': implicit(1.75, 0.175, 14),
  'gpt-5.2': implicit(1.75, 0.175, 14),
  'gpt-5.1-codex': implicit(1.25, 0.125, 10),
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

  'gemini-3.1-pro-preview': implicit(2, 0.2, 12),
  'gemini-3-pro-preview': implicit(2, 0.2, 12),
  'gemini-3-flash-preview': implicit(0.5, 0.05, 3),
  'gemini-3-flash': implicit(0.5, 0.05, 3),
  'gemini-3.1-flash-lite': implicit(0.25, 0.025, 1.5),
  'gemini-2.5-pro': implicit(1.25, 0.125, 10),
  'gemini-2.5-flash': implicit(0.3, 0.03, 2.5),

  // Off-peak. `deepseek-chat` and `deepseek-reasoner` are priced as V3.2, which they stood for until April 2026.
  'deepseek-chat': implicit(0.28, 0.028, 0.42),
  'deepseek-reasoner': implicit(0.28, 0.028, 0.42),
  'deepseek-v4-flash': implicit(0.14, 0.0028, 0.28),
  'deepseek-flash': implicit(0.15, 0.003, 0.6),
  'deepseek-v4-pro': implicit(0.66, 0.022, 1.98),
};
