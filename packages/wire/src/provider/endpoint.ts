import { CompactionError } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import type { Api } from './apis.ts';

/** A plain endpoint; the base URL is the one that the vendor's own SDK would take. */
export interface Endpoint {
  readonly url: string;
  /** Servers of one's own may want none. */
  readonly key?: string | undefined;
  /** What an error names in place of the key, where a server repeats it: `OPENAI_API_KEY`. */
  readonly keyName?: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** Or whatever sends a body and brings the raw response: `(body, { signal }) => client.messages.create(body, { signal }).asResponse()`. */
export type Send = (
  body: Fields,
  options: { readonly headers: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
) => Promise<Response>;

/** Sends bodies to an endpoint by `fetch`. */
export function sendTo({ url, fetch = globalThis.fetch }: Endpoint, key: string, api: Api, model: string): Send {
  const address = `${url.replace(/\/+$/, '')}${api.path(model)}`;
  const own = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...api.headers,
    ...(key === '' ? {} : api.keyHeaders(key)),
  };
  return (body, { headers, signal }) =>
    fetch(address, {
      method: 'POST',
      headers: { ...own, ...headers },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
}

/** What an error about a header says holds the header, so a key that cannot stand in one must not get there. */
export function readKey({ key = '' }: Endpoint): string {
  const trimmed = key.trim();
  if (/^[\x21-\x7e]*$/.test(trimmed)) return trimmed;
  throw new CompactionError(
    'bad-option',
    'the key of the endpoint has characters that no header can hold; pass the key alone.',
  );
}
