import { findRecallTool, type Usage } from '@palimpsest/core';
import { asFields, asNumber, asString } from '@palimpsest/core/json';
import { readThrownFailure } from '@palimpsest/wire';
import { type CompactMessagesOptions, compactBody } from './compact-messages.ts';
import { createConversations } from './conversations/conversations.ts';
import type { KeepOptions } from './conversations/keep-options.ts';
import { langChainMessages } from './langchain/langchain-messages.ts';

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

/** What `wrapModelCall` is called with, as far as this one looks at it. */
interface ModelCall<M> {
  messages: M[];
  model: unknown;
  tools?: unknown;
  runtime?: unknown;
}

/** What LangChain's `createMiddleware` takes; its own types fill in the parameters. */
export interface LangChainMiddleware {
  readonly name: string;
  wrapModelCall<M, Request extends ModelCall<M>, Answer>(
    request: Request & ModelCall<M>,
    handler: (request: Request) => Answer | Promise<Answer>,
  ): Promise<Answer>;
}

/**
 * `createAgent({ model, tools, middleware: [createMiddleware(palimpsest({ window: 200_000 }))] })`. The agent's state
 * keeps every message; only what the model is shown shrinks.
 */
export function palimpsest(options: KeepOptions): LangChainMiddleware {
  const conversations = createConversations(options);
  return {
    name: 'Palimpsest',
    async wrapModelCall(request, handler) {
      const { messages } = request;
      const model = modelName(request.model);
      const signal = asFields(request.runtime).signal;
      const kept = await conversations.keep({
        format: langChainMessages,
        body: { messages, model, ...(request.tools === undefined ? {} : { tools: request.tools }) },
        model,
        canRecall: request.tools === undefined ? undefined : findRecallTool(request.tools) !== undefined,
        signal: signal instanceof AbortSignal ? signal : undefined,
        host: request.runtime,
      });
      if (kept === undefined) return handler(request);
      for (let { body } = kept; ; ) {
        try {
          const answer = await handler({ ...request, messages: [...body.messages] as typeof messages });
          kept.noteAnswer({ usage: usageOf(answer) });
          return answer;
        } catch (error) {
          const failure = readThrownFailure(error);
          const smaller = failure?.type === 'overflow' ? await kept.shrinkBody(failure) : undefined;
          if (smaller === undefined) throw error;
          body = smaller.body;
        }
      }
    },
  };
}

/** Adapters name it `model`, older ones `modelName`; a model with bound tools holds the adapter inside. */
function modelName(model: unknown): string {
  const { model: name, modelName, bound } = asFields(model);
  return asString(name) ?? asString(modelName) ?? (bound === undefined ? '' : asString(asFields(bound).model)) ?? '';
}

/** `input_tokens` is the whole input, whatever a cache served of it. */
function usageOf(answer: unknown): Usage {
  const { input_tokens, output_tokens, input_token_details } = asFields(asFields(answer).usage_metadata);
  const details = asFields(input_token_details);
  const total = asNumber(input_tokens);
  const output = asNumber(output_tokens);
  const cacheRead = asNumber(details.cache_read);
  const cacheWrite = asNumber(details.cache_creation);
  return {
    ...(total === undefined ? {} : { input: Math.max(0, total - (cacheRead ?? 0) - (cacheWrite ?? 0)) }),
    ...(output === undefined ? {} : { output }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

/**
 * `model.invoke(compactMessages(messages, { window: 200_000 }))`: LangChain's messages, within the window. Pure. Tools are
 * bound by the caller; stated, they are counted. In an agent {@link palimpsest} is cheaper.
 */
export function compactMessages<M extends object>(messages: readonly M[], options: CompactMessagesOptions): M[] {
  const { model = '' } = options;
  return [...(compactBody(langChainMessages, { messages, model }, options).messages as readonly M[])];
}
