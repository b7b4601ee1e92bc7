import type { ApiName as ProviderName } from '@palimpsest/wire';
import { type Api, apis } from '@palimpsest/wire';

/** What the agent can talk to; of two that take the same key, the first is meant where nobody says. */
export const PROVIDERS: Readonly<Record<ProviderName, Api>> = {
  anthropic: apis.anthropic,
  'openai-responses': apis['openai-responses'],
  'openai-chat': apis['openai-chat'],
  gemini: apis.gemini,
};
