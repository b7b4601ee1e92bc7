import { mapHeaders, type RawHeaders } from '../http/raw-headers.ts';

/** Where clients put keys for providers, and for those who stand in front of them. */
const NAMED = /^(?!proxy-)(?:.*-)?(?:authorization|auth|(?:api|access|subscription)-key)$/;

const IN_QUERY = ['key', 'access_token', 'api_key', 'api-key'];

/** All that a client shows its provider, each once. Gemini's may stand in the query. */
export function readCredentials(headers: RawHeaders, search: string): readonly string[] {
  const shown: string[] = [];
  mapHeaders(headers, (name, value) => void (NAMED.test(name) && shown.push(value.replace(/^Bearer\s+/i, ''))));
  const query = new URLSearchParams(search);
  const all = [...shown, ...IN_QUERY.flatMap((name) => query.getAll(name))].map((one) => one.trim());
  return [...new Set(all.filter((one) => one !== ''))];
}
