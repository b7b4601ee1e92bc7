import { asFields, asList, type Fields } from '@palimpsest/core/json';
import type { ApiName } from '@palimpsest/wire';

/** Fields by which a body refers to messages that only the provider has. */
export const HISTORY_FIELDS: Readonly<Record<ApiName, readonly string[]>> = {
  anthropic: ['thread'],
  'openai-chat': [],
  'openai-responses': ['previous_response_id', 'conversation'],
  gemini: ['cachedContent', 'cached_content'],
};

const isStated = (value: unknown): boolean => (value ?? null) !== null;

/** Why a body of a conversation is sent as it came: the provider holds a part of its history. Undefined: it holds none. */
export function findServerHistory(api: ApiName, body: Fields): string | undefined {
  const isReferred = api === 'openai-responses' && asList(body.input).some(isReference);
  const field = HISTORY_FIELDS[api].find((name) => isStated(body[name])) ?? (isReferred ? 'item_reference' : undefined);
  return field === undefined
    ? undefined
    : `${field}: the provider holds earlier messages, which cannot be shortened here`;
}

const isReference = (item: unknown): boolean => asFields(item).type === 'item_reference';

/** Whether a body may have such a field, by its top fields: an item in a text would have escaped quotes. */
export const mayHaveServerHistory = (api: ApiName, fields: Fields, plain: Buffer): boolean =>
  HISTORY_FIELDS[api].some((name) => isStated(fields[name])) ||
  (api === 'openai-responses' && plain.includes('"item_reference"'));
