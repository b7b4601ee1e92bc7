import type { Clock } from '@palimpsest/core';
import type { Failure } from '@palimpsest/wire';
import { type AgentCode, AgentError, isAbort } from '../agent-error.ts';
import { eventsOf } from './event-stream.ts';
import { parsed } from './fields.ts';
import type { Model, ModelEvent, ModelRequest } from './model.ts';
import type { Answer, Provider, ProviderSettings } from './providers/provider.ts';

export interface HttpModelOptions extends ProviderSettings {
  readonly name: string;
  readonly provider: Provider;
  readonly baseUrl: string;
  readonly window: number;
  readonly clock: Clock;
}

/** A busy provider is asked again so often; one that cannot be reached less, since a wrong address stays wrong. */
const TRIES = { busy: 5, unreachable: 3 } as const;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** Headers that do not come in this time will not come. */
const SILENCE_MS = 300_000;

export function httpModel(options: HttpModelOptions): Model {
  const { name, provider, window, maxOutput, clock } = options;
  return {
    name,
    window,
    maxOutput,
    wire: provider.rules(options),
    isLanguageModel: true,
    async *stream(request, { signal }) {
      for (let attempt = 1; ; attempt++) {
        try {
          return yield* once(options, request, signal);
        } catch (error) {
          signal?.throwIfAborted();
          if (!(error instanceof AgentError) || !error.retryable) throw error;
          const most = error.code === 'unreachable' ? TRIES.unreachable : TRIES.busy;
          const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
          if (attempt >= most || waitMs > LONGEST_WAIT_MS) throw error;
          yield { type: 'wait-started', why: error.message, waitMs };
          await clock.wait(waitMs, signal);
        }
      }
    },
  };
}

async function* once(
  options: HttpModelOptions,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent> {
  const { provider } = options;
  const response = await sent(options, request, signal);
  if (!response.ok || response.body === null) {
    const text = await response.text().catch(() => '');
    throw failed(provider.failure(response.status, text === '' ? undefined : parsed(text), response.headers), options);
  }
  const collector = provider.collect();
  try {
    for await (const event of eventsOf(response.body)) {
      const failure = provider.failure(200, event);
      if (failure !== undefined) throw failed(failure, options);
      yield* collector.take(event);
    }
  } catch (error) {
    throw error instanceof AgentError || isAbort(error) ? error : broken(error, options);
  }
  const answer: Answer | undefined = collector.end();
  if (answer === undefined) throw broken(undefined, options);
  yield { type: 'answer-ended', ...answer };
}

async function sent(
  options: HttpModelOptions,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { path, headers, body } = options.provider.request(request, options);
  const silence = AbortSignal.timeout(SILENCE_MS);
  try {
    return await fetch(`${options.baseUrl.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify(body),
      signal: signal === undefined ? silence : AbortSignal.any([signal, silence]),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const why = error instanceof Error ? reasonOf(error) : String(error);
    throw new AgentError(
      'unreachable',
      `${options.baseUrl} cannot be reached (${why}): check the network and --base-url, then say it again.`,
      { retryable: true, cause: error },
    );
  }
}

/** `fetch failed` says nothing; what it was caused by does. */
function reasonOf(error: Error): string {
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return cause.message === '' ? code || error.message : cause.message;
}

const broken = (cause: unknown, { name }: HttpModelOptions): AgentError =>
  new AgentError('broken-stream', `${name} broke off in the middle of its answer; nothing of it was kept.`, {
    retryable: true,
    cause,
  });

const CODES: Readonly<Record<Failure['type'], AgentCode>> = {
  overflow: 'overflow',
  'rate-limited': 'rate-limited',
  overloaded: 'overloaded',
  server: 'server',
  auth: 'auth',
  quota: 'quota',
  invalid: 'refused',
};

function failed(failure: Failure | undefined, { name, provider, key }: HttpModelOptions): AgentError {
  if (failure === undefined) return new AgentError('server', `${name} answered with nothing.`, { retryable: true });
  const code = CODES[failure.type];
  // Some servers repeat the key that they refuse.
  const message = key === undefined ? failure.message : failure.message.replaceAll(key, `[${provider.keyName}]`);
  const said = message.split('\n')[0]!.slice(0, 300);
  const advice: Partial<Record<AgentCode, string>> = {
    auth: `${name} does not accept the key: check ${provider.keyName} (${said})`,
    quota: `${name}: the account has no credit left (${said})`,
    'rate-limited': `${name} asks to wait (${said})`,
    overloaded: `${name} is overloaded (${said})`,
  };
  return new AgentError(code, advice[code] ?? `${name} refused the request: ${said}`, {
    retryable: ['rate-limited', 'overloaded', 'server'].includes(code),
    ...('retryAfterMs' in failure && failure.retryAfterMs !== undefined ? { retryAfterMs: failure.retryAfterMs } : {}),
    ...('maximum' in failure && failure.maximum !== undefined ? { maximum: failure.maximum } : {}),
    ...('actual' in failure && failure.actual !== undefined ? { actual: failure.actual } : {}),
  });
}
