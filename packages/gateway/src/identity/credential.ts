import { findHeader, type RawHeaders } from '../http/raw-headers.ts';

/** Where clients put keys, each with what stands before it. */
const PLACES = [
  ['authorization', /^Bearer\s+/i],
  ['x-api-key', /^/],
  ['x-goog-api-key', /^/],
  ['api-key', /^/],
] as const;

/** What a client shows its provider; undefined for one that shows nothing. Gemini's may stand in the query. */
export function readCredential(headers: RawHeaders, search: string): string | undefined {
  for (const [name, lead] of PLACES) {
    const value = findHeader(headers, name)?.replace(lead, '').trim();
    if (value !== undefined && value !== '') return value;
  }
  return new URLSearchParams(search).get('key') ?? undefined;
}
