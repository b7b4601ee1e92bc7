import { anthropicMessages } from '@palimpsest/wire';
import { type CompactMessagesOptions, compactBody } from './compact-messages.ts';
import type { KeepOptions } from './conversations/keep-options.ts';
import { createKeptFetch } from './http/kept-fetch.ts';

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

/** What the SDK hands to a middleware, as far as this one looks at it. */
export interface MiddlewareRequest {
  url: string;
  method?: string | undefined;
  headers: Headers;
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

/** Goes into the `middleware` of an Anthropic client. */
export type AnthropicMiddleware = <Request extends MiddlewareRequest>(
  request: Request,
  next: (request: Request) => Promise<Response>,
) => Promise<Response>;

/** `new Anthropic({ middleware: [palimpsest({ window: 200_000 })] })`. */
export function palimpsest(options: KeepOptions): AnthropicMiddleware {
  const keep = createKeptFetch(options);
  return async (request, next) => {
    const { url, method = 'GET', headers, body, signal } = request;
    const answer = await keep({ url, method, headers, body, signal: signal ?? undefined }, (text, sent) =>
      next({ ...request, body: text, headers: sent }),
    );
    return answer ?? next(request);
  };
}

/**
 * `messages: compactMessages(messages, { window: 200_000 })`: those of the Anthropic SDK, within the window. Pure. System
 * prompt and tools are sent by the caller; stated, they are counted. In a loop {@link palimpsest} is cheaper.
 */
export function compactMessages<M extends { readonly role: string }>(
  messages: readonly M[],
  options: CompactMessagesOptions,
): M[] {
  const { model = '' } = options;
  return [...(compactBody(anthropicMessages, { model, messages }, options).messages as readonly M[])];
}
