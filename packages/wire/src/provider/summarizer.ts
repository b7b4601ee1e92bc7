import type { Message, NativeEdit, Summarizer, SummaryAnswer, SummaryRequest } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import { apis } from './apis.ts';
import { createProviderClient, type ProviderClientOptions } from './provider-client.ts';
import { summaryBodies } from './summary-body.ts';

/** Which model writes summaries. The conversation's own is served from its cache; another one is sent the span alone. */
export interface ProviderSummarizerOptions extends ProviderClientOptions {
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
 * and the request behind it. Who asks for the summary also says when to ask again, so this does not wait.
 */
export function providerSummarizer(options: ProviderSummarizerOptions): ProviderSummarizer {
  const { model, window } = options;
  const { wire } = apis[options.api];
  const { empty, limit } = summaryBodies[options.api];
  const client = createProviderClient(options);

  const isShared = (live: Live | undefined): live is Live => live?.wire === wire.name && live.model === model;

  async function summarize(
    { messages, maxOutput }: SummaryRequest,
    signal: AbortSignal | undefined,
    live?: Live,
  ): Promise<SummaryAnswer> {
    const nativeEdits = live?.native ?? [];
    const { body, headers } = encodeInto((live?.body ?? empty(model)) as Fields, messages, nativeEdits);
    const all = { ...live?.headers, ...headers };
    const { parts, stop, usage } = await client.ask(limit(body, maxOutput), { headers: all, signal });
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    return { text, stop: stop === 'window' ? 'length' : stop, usage };
  }

  const encodeInto = (
    body: Fields,
    messages: readonly Message[],
    nativeEdits: readonly NativeEdit[],
  ): { readonly body: Fields; readonly headers: Readonly<Record<string, string>> } =>
    wire.encode(messages, body as never, { nativeEdits, cacheBreakpoints: true });

  return {
    window,
    summarize: (request, { signal }) => summarize(request, signal),
    sharing: (live) => ({
      window,
      get sharesPrefix() {
        return isShared(live());
      },
      summarize(request, { signal }) {
        const now = live();
        return summarize(request, signal, request.form === 'same-prefix' && isShared(now) ? now : undefined);
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
