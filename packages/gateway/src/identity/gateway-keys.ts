import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiName } from '@palimpsest/wire';
import { apis } from '@palimpsest/wire';
import { findHeader, mapHeaders, type RawHeaders } from '../http/raw-headers.ts';
import { readCredentials } from './credential.ts';

/** A key of the gateway's own that a request showed. */
export interface ShownKey {
  readonly name: string;
  /** As it was shown where the provider's credential would stand: it must not go on, and another one has to. */
  readonly credential?: string;
}

/** Looks for one of the gateway's own keys; undefined where a request shows none. */
export type FindKey = (headers: RawHeaders, search: string) => ShownKey | undefined;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function readKeys(keys: Readonly<Record<string, string>>): FindKey {
  const known = Object.entries(keys).map(([name, key]) => ({ name, hash: digest(key) }));
  // All of them are compared, and in full: how long it takes tells nothing.
  const findName = (shown: string): string | undefined => {
    const hash = digest(shown);
    return known.filter((one) => timingSafeEqual(one.hash, hash)).map(({ name }) => name)[0];
  };
  return (headers, search) => {
    const own = findHeader(headers, 'x-palimpsest-key');
    const credential = readCredentials(headers, search).find((one) => findName(one) !== undefined);
    const name = findName(own ?? credential ?? '');
    return name === undefined ? undefined : { name, ...(credential === undefined ? {} : { credential }) };
  };
}

const CREDENTIALS = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']);

/** The headers with the provider's key in the place of the gateway's, wherever that stood. */
export const replaceCredential = (headers: RawHeaders, own: string, api: ApiName, key: string): RawHeaders => [
  ...mapHeaders(headers, (name, value) => (CREDENTIALS.has(name) || isKey(value, own) ? undefined : value)),
  ...Object.entries(apis[api].keyHeaders(key)).flat(),
];

const isKey = (value: string, own: string): boolean => value.replace(/^Bearer\s+/i, '').trim() === own;

/** A query without the gateway's own key, and every other byte of it as it came. */
export function omitKey(search: string, own: string): string {
  const pairs = search.slice(1).split('&');
  const kept = pairs.filter((pair) => ![...new URLSearchParams(pair).values()].some((value) => isKey(value, own)));
  if (kept.length === pairs.length) return search;
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
