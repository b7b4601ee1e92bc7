import { CompactionError, findRecallTool } from '@palimpsest/core';
import { asFields, asString } from '@palimpsest/core/json';
import { type Failure, readThrownFailure } from '@palimpsest/wire';
import { cutAtWindow, type Opened, openStream, usageOf } from './ai-sdk/ai-sdk-answer.ts';
import { aiSdkPrompt, type PromptBody } from './ai-sdk/ai-sdk-prompt.ts';
import { isBrokenConnection } from './ai-sdk/broken-connection.ts';
import { type CompactMessagesOptions, compactBody } from './compact-messages.ts';
import { createConversations } from './conversations/conversations.ts';
import type { Fitted, KeepOptions, Kept } from './conversations/keep-options.ts';
import { AI_SDK_LIMITS, lowerOutput, readOutputLimit } from './conversations/lower-output.ts';

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

/** What a model is called with, in every version of the specification. */
interface Params {
  prompt: unknown[];
  tools?: unknown;
  maxOutputTokens?: number | undefined;
  abortSignal?: AbortSignal | undefined;
  providerOptions?: unknown;
}

interface Generated {
  usage: unknown;
  finishReason: unknown;
}

interface Streamed {
  stream: ReadableStream<unknown>;
}

interface Model<P, G, S> {
  readonly modelId: string;
  readonly provider?: string;
  doGenerate(params: P): PromiseLike<G>;
  doStream(params: P): PromiseLike<S>;
}

/** Which version of its model interface the AI SDK has: 5 has `v2`, 6 has `v3`, 7 has `v4`. */
export type Specification = 'v2' | 'v3' | 'v4';

/** Fits the middleware types of AI SDK 5 (`v2`), 6 (`v3`) and 7 (`v4`), whose own types fill in the parameters. */
export interface AiSdkMiddleware<V extends Specification> {
  readonly specificationVersion: V;
  wrapGenerate<P extends Params, G extends Generated, S>(call: { params: P; model: Model<P, G, S> }): Promise<G>;
  wrapStream<P extends Params, G, S extends Streamed>(call: { params: P; model: Model<P, G, S> }): Promise<S>;
}

/** For AI SDK 6 `window` is enough. */
export interface AiSdkOptions<V extends Specification = 'v3'> extends KeepOptions {
  /** Which version of the AI SDK it is for; 6 without it. The shapes themselves are told apart by looking at them. */
  readonly specificationVersion?: V;
}

/** Calls in a row that broke off before anybody saw them. */
const MOST_BROKEN = 2;

/** `wrapLanguageModel({ model, middleware: palimpsestMiddleware({ window: 200_000 }) })`. */
export function palimpsestMiddleware<V extends Specification = 'v3'>(options: AiSdkOptions<V>): AiSdkMiddleware<V> {
  const { specificationVersion = 'v3' as V, ...keepOptions } = options;
  const conversations = createConversations(keepOptions);

  /** Calls the model with what fits. A refusal for size is answered by a smaller prompt; all else is the caller's. */
  async function askWithin<P extends Params, Answer>(
    params: P,
    { modelId, provider }: Pick<Model<P, unknown, unknown>, 'modelId' | 'provider'>,
    ask: (params: P) => PromiseLike<Answer>,
    judge: (answer: Answer, conversation: Kept<PromptBody>) => Promise<Failure | undefined> | Failure | undefined,
  ): Promise<Answer> {
    const { prompt, tools, abortSignal, providerOptions } = params;
    const conversation = await conversations.keep({
      format: aiSdkPrompt,
      body: { prompt, tools, model: modelId, provider, providerOptions },
      model: modelId,
      maxOutput: readOutputLimit(params, AI_SDK_LIMITS),
      canRecall: findRecallTool(tools) !== undefined,
      signal: abortSignal,
      host: params,
    });
    if (conversation === undefined) return ask(params);
    let next: Fitted<PromptBody> = conversation;
    for (let broken = 0; ; ) {
      let answer: Answer | undefined;
      let failure: Failure | undefined;
      let thrown: unknown;
      try {
        answer = await ask({ ...lowerOutput(params, next.outputRoom, AI_SDK_LIMITS), prompt: [...next.body.prompt] });
        failure = await judge(answer, conversation);
      } catch (error) {
        if (abortSignal?.aborted !== true && isBrokenConnection(error) && ++broken <= MOST_BROKEN) continue;
        failure = readThrownFailure(error);
        if (failure?.type !== 'overflow') throw error;
        thrown = error;
      }
      if (failure?.type !== 'overflow') return answer!;
      const smaller = await conversation.shrinkBody(failure);
      if (smaller !== undefined) next = smaller;
      else if (thrown !== undefined) throw thrown;
      else return answer!;
    }
  }

  return {
    specificationVersion,
    wrapGenerate: ({ params, model }) =>
      askWithin(
        params,
        model,
        (given) => model.doGenerate(given),
        ({ usage, finishReason }, conversation) => {
          conversation.noteAnswer({ usage: usageOf(usage) });
          return cutAtWindow(finishReason);
        },
      ),
    async wrapStream({ params, model }) {
      let opened: Opened | undefined;
      const answer = await askWithin(
        params,
        model,
        (given) => model.doStream(given),
        async ({ stream }, conversation) => {
          opened = await openStream(stream, ({ usage, finishReason }) => {
            conversation.noteAnswer({ usage: usageOf(usage) });
            // Cut off at the window's end, which nobody can take back any more: the next request is smaller.
            if (cutAtWindow(finishReason) !== undefined) void conversation.shrinkBody({}).catch(() => {});
          });
          return opened.failure;
        },
      );
      return { ...answer, stream: opened === undefined ? answer.stream : opened.stream() };
    },
  };
}

/** What `prepareStep` is called with, as far as this one looks at it. */
interface Step<M> {
  messages: M[];
  model: unknown;
  steps: readonly { readonly usage: unknown }[];
}

/**
 * `generateText({ prepareStep: palimpsestStep({ window: 200_000 }) })`, where the model itself cannot be wrapped. A step
 * sees no refusals, so an overflow is the caller's; the middleware answers those too.
 */
export function palimpsestStep(options: KeepOptions): <M>(step: Step<M>) => Promise<{ messages: M[] }> {
  const conversations = createConversations(options);
  return async ({ messages, model, steps }) => {
    const { modelId, provider } = asFields(model);
    const name = asString(typeof model === 'string' ? model : modelId);
    if (name === undefined)
      throw new CompactionError('bad-option', 'prepareStep was given no model; pass palimpsestStep itself to it.');
    const kept = await conversations.keep({
      format: aiSdkPrompt,
      body: { prompt: messages, model: name, ...(typeof provider === 'string' ? { provider } : {}) },
      model: name,
      ...(steps.length === 0 ? {} : { reported: usageOf(steps.at(-1)!.usage) }),
    });
    return { messages: kept === undefined ? messages : ([...kept.body.prompt] as typeof messages) };
  };
}

/**
 * `messages: compactMessages(messages, { window: 200_000 })`: the AI SDK's `ModelMessage[]`, within the window. Pure. System
 * prompt and tools are sent by the caller; stated, they are counted. In a loop {@link palimpsestStep} is cheaper.
 */
export function compactMessages<M extends { readonly role: string }>(
  messages: readonly M[],
  options: CompactMessagesOptions,
): M[] {
  const { model = '' } = options;
  return [...(compactBody(aiSdkPrompt, { prompt: messages, model }, options).prompt as readonly M[])];
}
