import type { ApiName } from './apis.ts';

/** A model whose window and longest answer are known, in tokens. */
export interface KnownModel {
  readonly name: string;
  readonly provider: ApiName;
  readonly window: number;
  readonly maxOutput: number;
}

const anthropic = (window: number, maxOutput: number, ...names: readonly string[]): readonly KnownModel[] =>
  names.map((name) => ({ name, provider: 'anthropic', window, maxOutput }));
const openai = (window: number, maxOutput: number, ...names: readonly string[]): readonly KnownModel[] =>
  names.map((name) => ({ name, provider: 'openai-responses', window, maxOutput }));
const gemini = (window: number, maxOutput: number, ...names: readonly string[]): readonly KnownModel[] =>
  names.map((name) => ({ name, provider: 'gemini', window, maxOutput }));

/** As the vendors state them, November 2026. For a model that is not here somebody has to state the window. The first of a provider is its default. */
export const KNOWN_MODELS: readonly KnownModel[] = [
  ...anthropic(1_000_000, 128_000, 'claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5', 'claude-fable-5-1'),
  ...anthropic(1_000_000, 128_000, 'claude-sonnet-5', 'claude-opus-5', 'claude-fable-5'),
  ...anthropic(1_000_000, 128_000, 'claude-opus-4-8', 'claude-opus-4-7', 'claude-opus-4-6', 'claude-sonnet-4-6'),
  ...anthropic(200_000, 64_000, 'claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5'),
  ...openai(1_050_000, 128_000, 'gpt-5.4', 'gpt-5.5', 'gpt-5.6', 'gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna'),
  ...openai(1_050_000, 128_000, 'gpt-6-astra', 'gpt-6-sol', 'gpt-6-luna', 'gpt-6.1-sol', 'gpt-6.1-terra'),
  ...openai(400_000, 128_000, 'gpt-5.2', 'gpt-5.1', 'gpt-5', 'gpt-5-mini', 'gpt-5-nano'),
  ...openai(1_047_576, 32_768, 'gpt-4.1', 'gpt-4.1-mini', 'gpt-4.1-nano'),
  ...openai(200_000, 100_000, 'o3', 'o4-mini'),
  ...openai(128_000, 16_384, 'gpt-4o', 'gpt-4o-mini'),
  ...gemini(1_048_576, 65_536, 'gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-3-pro-preview', 'gemini-3-flash-preview'),
  ...gemini(1_048_576, 65_536, 'gemini-3.1-pro-preview', 'gemini-3.1-pro-preview-customtools', 'gemini-4-argon'),
  ...gemini(1_048_576, 65_536, 'gemini-3.1-flash-lite', 'gemini-3.5-flash'),
];

/** A model by its name. Dated names (`gpt-5-2025-08-07`, `claude-opus-4-5-20251101`) are the model they are a snapshot of. */
export function knownModel(name: string): KnownModel | undefined {
  const plain = name.replace(/-(?:20\d{6}|20\d{2}-\d{2}-\d{2})$/, '');
  return KNOWN_MODELS.find((model) => model.name === plain);
}

/** What a host uses that was told a provider and no model. */
export const defaultModelOf = (provider: ApiName): string =>
  KNOWN_MODELS.find(
    (model) => model.provider === provider || (provider === 'openai-chat' && model.provider === 'openai-responses'),
  )!.name;
