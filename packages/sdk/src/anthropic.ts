import type { KeepOptions } from './conversations/keep-options.ts';
import { createKeptFetch } from './http/kept-fetch.ts';

export type {
  ConversationStore,
  KeepOptions,
  KeptEvent,
  LiveLimits,
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
