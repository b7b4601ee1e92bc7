import { randomUUID } from 'node:crypto';
import type { Clock, Part, Prices } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import type { ApiName as ProviderName } from '@palimpsest/wire';
import { type Answer, createProviderClient, ProviderError } from '@palimpsest/wire';
import type { Model, ModelEvent, ModelRequest } from './model.ts';
import { tellProblem } from './providers/provider-problem.ts';
import { PROVIDERS } from './providers/providers.ts';
import { type BodySettings, requestBody } from './providers/request-body.ts';

export interface HttpModelOptions extends BodySettings {
  readonly name: string;
  readonly provider: ProviderName;
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly window: number;
  readonly prices?: Prices | undefined;
  readonly clock: Clock;
}

/** A model behind one of the four APIs. */
export function httpModel(options: HttpModelOptions): Model {
  const { name, provider, baseUrl, key, model, window, maxOutput, clock } = options;
  const { wire, keyName } = PROVIDERS[provider];
  const client = createProviderClient({ api: provider, model, endpoint: { url: baseUrl, key, keyName } });
  const spoken = { name, baseUrl, keyName };
  const bodyFor = (request: Pick<ModelRequest, 'system' | 'tools' | 'maxOutput'>): Fields =>
    requestBody(provider, { ...options, maxOutput: request.maxOutput ?? maxOutput }, request);

  async function* ask(request: ModelRequest, signal: AbortSignal | undefined): AsyncGenerator<ModelEvent> {
    const { body, headers, names } = wire.encode(request.messages, bodyFor(request) as never, {
      cacheBreakpoints: true,
      ...(request.native === undefined ? {} : { nativeEdits: request.native }),
    });
    for await (const event of client.stream(body, { headers, signal, clock, names })) {
      if (event.type === 'answer-ended') yield endAnswer(event);
      else if (event.type !== 'wait-started') yield event;
      else yield { type: 'wait-started', why: tellProblem(event.error, spoken).message, waitMs: event.waitMs };
    }
  }

  return {
    name,
    window,
    maxOutput,
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    wire: wire.decode(bodyFor({ system: '', tools: [] }) as never).rules,
    isLanguageModel: true,
    async *stream(request, { signal }) {
      try {
        yield* ask(request, signal);
      } catch (error) {
        throw error instanceof ProviderError ? tellProblem(error, spoken) : error;
      }
    },
  };
}

function endAnswer({ parts, stop, usage }: Answer): ModelEvent {
  if (stop === 'window') throw new ProviderError('too-long', 'the answer was cut off at the end of the context window');
  return { type: 'answer-ended', parts: parts.map(nameCall), stop, usage };
}

/** Gemini's calls need no ids; the agent's must differ from round to round, so that a screen can tell them apart. */
const nameCall = (part: Part): Part =>
  part.type === 'call' && part.callId.startsWith('gemini-')
    ? { ...part, callId: `call-${randomUUID().slice(0, 8)}` }
    : part;
