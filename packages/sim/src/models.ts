import type { Prices } from '@palimpsest/core';
import { KNOWN_MODELS, type KnownModel } from '@palimpsest/wire';

/** Whose rules and words a model answers with. */
export type Vendor = 'anthropic' | 'openai' | 'google';

/** Money per million tokens. `cacheWriteHour` is Anthropic's one-hour write; twice the input price where it is not stated. */
export interface SimPrices extends Prices {
  readonly cacheWriteHour?: number;
}

/** All that the simulator knows about a model. */
export interface SimModel {
  readonly name: string;
  readonly vendor: Vendor;
  /** Input tokens that fit; more is refused in the vendor's words. */
  readonly window: number;
  readonly maxOutput: number;
  readonly prices: SimPrices;
  /** A shorter prefix is not cached, and nobody says so. */
  readonly minimumCachePrefix: number;
  /** A replayed thinking block is checked against the exact conversation before it (Anthropic). */
  readonly thinkingBound?: boolean;
  /** With manual thinking, an answer that calls tools must be replayed with its thinking in front (Anthropic). */
  readonly thinkingFirst?: boolean;
  /** Parameters that the model does not take, each by its documentation (Anthropic). */
  readonly refuses?: readonly ('sampling' | 'forced-tools' | 'manual-thinking' | 'no-thinking')[];
  /** The conversation may end with an assistant message to be continued (Anthropic). */
  readonly prefill?: boolean;
  /** Calls of the current turn must bear the signature they came with (Gemini). */
  readonly thoughtSignatures?: boolean;
  /** The server's chat template wants user and assistant strictly in turn (chat servers other than OpenAI's). */
  readonly alternates?: boolean;
}

const anthropic = (name: string, input: number, output: number, more: Partial<SimModel> = {}): SimModel => ({
  name,
  vendor: 'anthropic',
  window: 200_000,
  maxOutput: 128_000,
  prices: { input, output, cacheRead: input * 0.1, cacheWrite: input * 1.25, cacheWriteHour: input * 2 },
  minimumCachePrefix: 1_024,
  ...more,
});

const openai = (name: string, input: number, output: number, window: number, cached: number): SimModel => ({
  name,
  vendor: 'openai',
  window,
  maxOutput: Math.min(128_000, Math.floor(window / 4)),
  prices: { input, output, cacheRead: input * cached, cacheWrite: input },
  minimumCachePrefix: 1_024,
});

const google = (name: string, input: number, output: number, more: Partial<SimModel> = {}): SimModel => ({
  name,
  vendor: 'google',
  window: 1_048_576,
  maxOutput: 65_536,
  prices: { input, output, cacheRead: input * 0.1, cacheWrite: input },
  minimumCachePrefix: 2_048,
  ...more,
});

/** These always think, whether they are asked to or not. */
const bound = {
  thinkingBound: true,
  refuses: ['sampling', 'forced-tools', 'manual-thinking', 'no-thinking'],
} as const satisfies Partial<SimModel>;
const older = { thinkingFirst: true, prefill: true, maxOutput: 64_000 } as const;

/** Input and output prices of models that are known by name only, by what the name begins with. */
const FAMILIES: readonly (readonly [beginning: string, input: number, output: number])[] = [
  ['claude-opus', 5, 25],
  ['claude-haiku', 1, 5],
  ['claude', 3, 15],
  ['gpt-4.1', 2, 8],
  ['gpt-4o', 2.5, 10],
  ['gpt', 1.25, 10],
  ['o', 2, 8],
  ['gemini', 1.25, 10],
];

/** Every other model whose window is known, since clients ask for them by themselves. */
function describeKnown({ name, provider, window, maxOutput }: KnownModel): SimModel {
  const [, input = 0, output = 0] = FAMILIES.find(([beginning]) => name.startsWith(beginning)) ?? [];
  if (provider === 'anthropic') return anthropic(name, input, output, { window, maxOutput });
  if (provider === 'gemini') return google(name, input, output, { window, maxOutput });
  return { ...openai(name, input, output, window, 0.1), maxOutput };
}

/**
 * A dated default (November 2026), meant to be overridden: names from the SDKs, prices and windows of the order of the
 * vendors' lists, the smallest cacheable prefix within the stated 512 to 4,096.
 */
const DESCRIBED: readonly SimModel[] = [
  anthropic('claude-fable-5-1', 3, 15, bound),
  anthropic('claude-opus-5-5', 5, 25, bound),
  anthropic('claude-sonnet-5-5', 3, 15, bound),
  anthropic('claude-haiku-5-5', 1, 5, {
    thinkingBound: true,
    refuses: ['sampling', 'manual-thinking'],
    minimumCachePrefix: 512,
  }),
  anthropic('claude-opus-5', 5, 25, { refuses: ['sampling'] }),
  anthropic('claude-sonnet-5', 3, 15, { refuses: ['sampling'] }),
  anthropic('claude-opus-4-5', 5, 25, { ...older, minimumCachePrefix: 4_096 }),
  anthropic('claude-sonnet-4-5', 3, 15, older),
  anthropic('claude-haiku-4-5', 1, 5, { ...older, minimumCachePrefix: 4_096 }),
  openai('gpt-5.6', 1.25, 10, 400_000, 0.1),
  openai('gpt-5.5', 1.25, 10, 400_000, 0.1),
  openai('gpt-5-mini', 0.25, 2, 400_000, 0.1),
  openai('gpt-4.1', 2, 8, 1_047_576, 0.25),
  openai('gpt-4o', 2.5, 10, 128_000, 0.5),
  // Qwen Code's own default, by its OpenAI way of speaking.
  openai('qwen3.7-max', 1.2, 6, 262_144, 0.2),
  google('gemini-3-pro-preview', 2, 12, { thoughtSignatures: true }),
  google('gemini-3.5-flash-lite', 0.1, 0.4, { minimumCachePrefix: 1_024 }),
  google('gemini-2.5-pro', 1.25, 10),
  google('gemini-2.5-flash', 0.3, 2.5, { minimumCachePrefix: 1_024 }),
];

/** Those above, and every other one whose window is known: the newest clients ask for them by themselves. */
export const DEFAULT_MODELS: readonly SimModel[] = [
  ...DESCRIBED,
  ...KNOWN_MODELS.filter((known) => !DESCRIBED.some(({ name }) => name === known.name)).map(describeKnown),
];
