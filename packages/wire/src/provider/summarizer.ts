import { CompactionError, type Message, type NativeEdit, type Summarizer, type SummaryRequest } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import { ProviderError, providerError, readThrownFailure } from '../failure/provider-error.ts';
import { type Api, type ApiName, apiOf } from './endpoints.ts';
import { hear } from './hear.ts';

/** A plain endpoint; the base URL is the one that the vendor's own SDK would take. */
export interface Endpoint {
  readonly url: string;
  readonly key: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** Or whatever sends a body and brings the raw response: `(body, { signal }) => client.messages.create(body, { signal }).asResponse()`. */
export type Send = (
  body: Fields,
  options: { readonly headers: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
) => Promise<Response>;

/** Which model writes summaries. The conversation's own is served from its cache; another one is sent the span alone. */
export interface ProviderSummarizerOptions {
  readonly api: ApiName;
  readonly endpoint: Endpoint | Send;
  /** As the API names it. */
  readonly model: string;
  /** The summarizing model's own context window in tokens. */
  readonly window: number;
}

/** The request that a conversation made last: what its provider's cache holds. */
export interface Live {
  readonly wire: string;
  readonly model: string;
  readonly body: unknown;
  /** Headers that change what the provider makes of the body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly native: readonly NativeEdit[];
}

/** Can share the prefix of a conversation that shows it what it sends. */
export interface ProviderSummarizer extends Summarizer {
  sharing(live: () => Live | undefined): Summarizer;
}

/**
 * Summaries by a model behind an API, streamed. In same-prefix form the conversation's own body is sent again, as it was,
 * and the request behind it.
 */
export function providerSummarizer(options: ProviderSummarizerOptions): ProviderSummarizer {
  const api = apiOf(options.api);
  const { model, window } = options;
  const { endpoint } = options;
  const key = typeof endpoint === 'function' ? '' : keyOf(endpoint);
  const send = typeof endpoint === 'function' ? endpoint : sendTo(endpoint, key, api, model);

  async function asked(body: Fields, headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined) {
    try {
      const response = await send(body, { headers, ...(signal === undefined ? {} : { signal }) });
      return await hear(response, options.api, api);
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : hiding(key, understood(error));
    }
  }

  const standAlone = ({ messages, maxOutput }: SummaryRequest): Fields =>
    api.asking(encoded(api, messages, api.empty(model)).body, maxOutput);

  const isShared = (live: Live | undefined): live is Live => live?.wire === api.wire.name && live.model === model;

  return {
    window,
    summarize: (request, { signal }) => asked(standAlone(request), {}, signal),
    sharing: (live) => ({
      window,
      get sharesPrefix() {
        return isShared(live());
      },
      summarize(request, { signal }) {
        const now = live();
        if (request.form !== 'same-prefix' || !isShared(now)) return asked(standAlone(request), {}, signal);
        const { body, headers } = encoded(api, request.messages, now.body as Fields, now.native);
        return asked(api.asking(body, request.maxOutput), { ...now.headers, ...headers }, signal);
      },
    }),
  };
}

/** The summarizer as one conversation uses it. */
export const sharingSummarizer = (
  summarizer: Summarizer | undefined,
  live: () => Live | undefined,
): Summarizer | undefined =>
  summarizer !== undefined && 'sharing' in summarizer ? (summarizer as ProviderSummarizer).sharing(live) : summarizer;

const encoded = (
  api: Api,
  messages: readonly Message[],
  body: Fields,
  nativeEdits: readonly NativeEdit[] = [],
): { readonly body: Fields; readonly headers: Readonly<Record<string, string>> } =>
  api.wire.encode(messages, body as never, { nativeEdits, cacheBreakpoints: true });

/** What an error about a header says holds the header, so a key that cannot stand in one must not get there. */
function keyOf(endpoint: Endpoint): string {
  const key = endpoint.key.trim();
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  throw new CompactionError(
    'bad-option',
    'the key of the endpoint has characters that no header can hold; pass the key alone.',
  );
}

/** Anything shorter is a placeholder for servers that want none, and perhaps a word. */
const LEAST_SECRET_CHARS = 8;

/** Some servers repeat the key they refuse, and what failed is written into the journal. */
function hiding(key: string, error: ProviderError): ProviderError {
  if (key.length < LEAST_SECRET_CHARS || !inspected(error).includes(key)) return error;
  return new ProviderError(error.code, error.message.replaceAll(key, '(key)'), {
    retryable: error.retryable,
    retryAfterMs: error.retryAfterMs,
    maximum: error.maximum,
  });
}

const inspected = ({ message, cause }: Error): string =>
  `${message}\n${cause instanceof Error ? inspected(cause) : ''}`;

function sendTo({ url, fetch = globalThis.fetch }: Endpoint, key: string, api: Api, model: string): Send {
  const base = url.replace(/\/+$/, '');
  return (body, { headers, signal }) =>
    fetch(`${base}${api.path(model)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...api.headers(key), ...headers },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
}

/** A connection that failed may hold the next time; what an SDK threw says more. */
function understood(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const failure = readThrownFailure(error);
  if (failure !== undefined) return providerError(failure, error);
  const message = error instanceof Error ? error.message : String(error);
  return new ProviderError('broken-stream', message, { retryable: true, cause: error });
}
