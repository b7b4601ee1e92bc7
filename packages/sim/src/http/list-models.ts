import type { Fields } from '@palimpsest/core/json';
import type { SimModel } from '../models.ts';

/** A day of the vendors' lists; nobody reads more out of it than that it is a date. */
const CREATED = Date.UTC(2026, 0, 1);

/** `GET /v1/models` as Anthropic answers it, where the request says its version, and as OpenAI does, where not. */
export function listModels(models: readonly SimModel[], isAnthropic: boolean): Fields {
  if (!isAnthropic)
    return {
      object: 'list',
      data: models
        .filter(({ vendor }) => vendor === 'openai')
        .map(({ name, window }) => ({
          id: name,
          object: 'model',
          created: CREATED / 1_000,
          owned_by: 'sim',
          context_window: window,
        })),
    };
  const data = models
    .filter(({ vendor }) => vendor === 'anthropic')
    .map(({ name, window, maxOutput }) => ({
      type: 'model',
      id: name,
      display_name: name,
      created_at: new Date(CREATED).toISOString(),
      max_input_tokens: window,
      max_tokens: maxOutput,
    }));
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

/** `GET /v1beta/models`, Gemini's. */
export const listGeminiModels = (models: readonly SimModel[]): Fields => ({
  models: models
    .filter(({ vendor }) => vendor === 'google')
    .map(({ name, window, maxOutput }) => ({
      name: `models/${name}`,
      displayName: name,
      inputTokenLimit: window,
      outputTokenLimit: maxOutput,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    })),
});
