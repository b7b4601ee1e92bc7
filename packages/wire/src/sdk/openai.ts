import { CompactionError } from '@palimpsest/core';
import type { KeepOptions } from './keep-options.ts';
import { createKeptFetch } from './kept-fetch.ts';

export type { ConversationStore, KeepOptions } from './keep-options.ts';
export { type RecallTool, recallTool } from './recall-tool.ts';

export interface FetchOptions extends KeepOptions {
  /** What sends; the global one without it. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * `new OpenAI({ fetch: palimpsest({ window: 400_000 }) })`, and for every other SDK that takes a `fetch`. A Responses
 * request with `previous_response_id` or a `conversation` goes as it is: its history is on the server, where only the
 * server can compact it.
 */
export function palimpsest(options: FetchOptions): typeof globalThis.fetch {
  const { fetch, ...keepOptions } = options;
  const keep = createKeptFetch(keepOptions);
  const send = fetch ?? ((input, init) => globalThis.fetch(input, init));
  return async (input, init) => {
    const asked = input instanceof Request ? input : undefined;
    const headers = new Headers(init?.headers ?? asked?.headers);
    const signal = init?.signal ?? asked?.signal;
    const request = {
      url: asked?.url ?? String(input),
      method: init?.method ?? asked?.method ?? 'GET',
      headers,
      body: init?.body ?? (asked === undefined || asked.method === 'GET' ? undefined : await asked.clone().text()),
      signal: signal ?? undefined,
    };
    try {
      const answer = await keep(request, (body, sent) => send(input, { ...init, body, headers: sent }));
      return answer ?? send(input, init);
    } catch (error) {
      if (error instanceof CompactionError) return refusal(error);
      throw error;
    }
  };
}

/** An SDK takes whatever `fetch` throws for a broken connection and tries again; a refusal reaches the caller, in words. */
const refusal = ({ code, message }: CompactionError): Response =>
  new Response(JSON.stringify({ error: { message: `palimpsest: ${message}`, type: 'palimpsest_error', code } }), {
    status: 400,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
  });
