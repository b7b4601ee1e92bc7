import { asFields, asString } from '@palimpsest/core/json';
import { openaiChat, openaiResponses } from '@palimpsest/wire';
import { type CompactMessagesOptions, compactBody } from './compact-messages.ts';
import type { KeepOptions } from './conversations/keep-options.ts';
import { createKeptFetch, isOwnError, mayConverse } from './http/kept-fetch.ts';

export type { CompactMessagesOptions } from './compact-messages.ts';
export type {
  ConversationStore,
  KeepOptions,
  KeptEvent,
  LiveLimits,
  PassedEvent,
  PassedReason,
  RequestInfo,
  SessionStart,
  Whose,
} from './conversations/keep-options.ts';
export { type RecallTool, recallTool } from './recall-tool.ts';

/** As for the other SDKs, and what to send with. */
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
    const url = asked?.url ?? String(input);
    const method = init?.method ?? asked?.method ?? 'GET';
    const given =
      init?.body ?? (asked !== undefined && mayConverse(url, method, headers) ? await asked.clone().text() : null);
    const request = { url, method, headers, body: given, signal: signal ?? undefined };
    try {
      const answer = await keep(request, (body, sent) => send(input, { ...init, body, headers: sent }));
      return answer ?? send(input, init);
    } catch (error) {
      if (isOwnError(error) && request.signal?.aborted !== true) return refusal(error);
      throw error;
    }
  };
}

/** An SDK takes whatever `fetch` throws for a broken connection and tries again; a refusal reaches the caller, in words. */
function refusal(error: Error): Response {
  const code = asString(asFields(error).code) ?? 'failed';
  const said = { message: `palimpsest: ${error.message}`, type: 'palimpsest_error', code };
  return new Response(JSON.stringify({ error: said }), {
    status: 400,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
  });
}

/**
 * `messages: compactMessages(messages, { window: 400_000 })`: those of chat completions, within the window. Pure. Tools are
 * sent by the caller; stated, they are counted. In a loop {@link palimpsest} is cheaper.
 */
export function compactMessages<M extends { readonly role: string }>(
  messages: readonly M[],
  options: CompactMessagesOptions,
): M[] {
  const { model = '' } = options;
  return [...(compactBody(openaiChat, { model, messages }, options).messages as readonly M[])];
}

/** `input: compactItems(items, { window: 400_000 })`: the same for the items of the Responses API. */
export function compactItems<Item extends object>(items: readonly Item[], options: CompactMessagesOptions): Item[] {
  const { model = '' } = options;
  return [...(compactBody(openaiResponses, { model, input: items }, options).input as readonly Item[])];
}
