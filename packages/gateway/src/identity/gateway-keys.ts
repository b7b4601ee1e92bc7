import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiName } from '@palimpsest/wire';
import { apis } from '@palimpsest/wire';
import { findHeader, omitHeaders, type RawHeaders } from '../http/raw-headers.ts';
import { readCredential } from './credential.ts';

/** A key of the gateway's own that a request showed. */
export interface ShownKey {
  readonly name: string;
  /** Where the provider's credential would stand: it must not go on, and another one has to. */
  readonly isCredential: boolean;
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
    const credential = own === undefined ? readCredential(headers, search) : undefined;
    const name = findName(own ?? credential ?? '');
    return name === undefined ? undefined : { name, isCredential: own === undefined };
  };
}

const CREDENTIALS = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']);

/** The headers with the provider's key in the place of the gateway's. */
export const replaceCredential = (headers: RawHeaders, api: ApiName, key: string): RawHeaders => [
  ...omitHeaders(headers, CREDENTIALS),
  ...Object.entries(apis[api].keyHeaders(key)).flat(),
];
