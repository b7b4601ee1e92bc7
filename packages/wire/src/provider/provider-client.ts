import type { Clock } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import type { Answer, AnswerDelta } from '../answer.ts';
import { restoreNames } from '../body/tool-names.ts';
import { ProviderError } from '../failure/provider-error.ts';
import { readProviderError } from '../failure/thrown-failure.ts';
import type { ToolNameMap } from '../wire.ts';
import { type ApiName, apis } from './apis.ts';
import { type Endpoint, readKey, type Send, sendTo } from './endpoint.ts';
import { hideKey } from './hide-key.ts';
import { readAnswer } from './read-answer.ts';
import { retryDelayMs } from './retry-delay.ts';

/** Who is spoken to, and how. */
export interface ProviderClientOptions {
  readonly api: ApiName;
  readonly endpoint: Endpoint | Send;
  /** As the API names it. */
  readonly model: string;
}

/** What goes with a body. */
export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** With a clock, a provider that is busy or away is asked again after a while; without one, nobody waits. */
  readonly clock?: Clock;
  /** Of the encoded body: the answer calls tools by their own names again. */
  readonly names?: ToolNameMap | undefined;
}

/** What a client streams. */
export type AnswerEvent =
  | AnswerDelta
  /** The provider is busy or away; the request goes out again after the wait. What came before is void. */
  | { readonly type: 'wait-started'; readonly error: ProviderError; readonly waitMs: number }
  /** Always last, exactly once. */
  | ({ readonly type: 'answer-ended' } & Answer);

/** Speaks to one model. What goes wrong is thrown as a `ProviderError`; an abort passes through. */
export interface ProviderClient {
  /** The answer to a body that asks for a stream; a server that answers whole is understood too. */
  stream(body: Fields, options?: AskOptions): AsyncGenerator<AnswerEvent, void>;
  /** The whole answer alone. */
  ask(body: Fields, options?: AskOptions): Promise<Answer>;
}

/** A client of one model behind one of the four APIs. */
export function createProviderClient({ api: name, endpoint, model }: ProviderClientOptions): ProviderClient {
  const api = apis[name];
  const key = typeof endpoint === 'function' ? '' : readKey(endpoint);
  const send = typeof endpoint === 'function' ? endpoint : sendTo(endpoint, key, api, model);
  const keyName = typeof endpoint === 'function' || endpoint.keyName === undefined ? '(key)' : `[${endpoint.keyName}]`;

  async function* stream(body: Fields, options: AskOptions = {}): AsyncGenerator<AnswerEvent, void> {
    const { headers = {}, signal, clock, names } = options;
    for (let attempts = 1; ; attempts++) {
      try {
        const response = await send(body, { headers, ...(signal === undefined ? {} : { signal }) });
        const answer = yield* readAnswer(response, api);
        return yield { type: 'answer-ended', ...answer, parts: restoreNames(answer.parts, names) };
      } catch (thrown) {
        signal?.throwIfAborted();
        const error = hideKey(readProviderError(thrown), key, keyName);
        const waitMs = retryDelayMs(error, attempts);
        if (clock === undefined || waitMs === undefined) throw error;
        yield { type: 'wait-started', error, waitMs };
        await clock.wait(waitMs, signal);
      }
    }
  }

  async function ask(body: Fields, options?: AskOptions): Promise<Answer> {
    for await (const event of stream(body, options)) if (event.type === 'answer-ended') return event;
    throw new ProviderError('broken-stream', 'the answer has no end');
  }

  return { stream, ask };
}
