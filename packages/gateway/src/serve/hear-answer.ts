import { parseJson } from '@palimpsest/core/json';
import type { KeptBody, KeptRequest } from '@palimpsest/sdk/keeper';
import type { Failure } from '@palimpsest/wire';
import { DIALECTS } from '../dialects/dialect.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isCoded, isEventStream, relayResponse } from '../exchange/relay-response.ts';
import type { GatewayState } from '../gateway-state.ts';
import { inflateBody } from '../http/inflate-body.ts';
import { findHeader } from '../http/raw-headers.ts';
import type { Inbound } from '../http/send-upstream.ts';
import type { Settled } from './pass-request.ts';
import { createUsageReader } from './usage-reader.ts';

/** Larger ones are handed on without being looked into. */
const MOST_ANSWER_BYTES = 32 * 2 ** 20;

/** What became of an answer. `smaller`: it was a refusal for size, and nothing of it went to the client. */
export interface Heard {
  readonly smaller?: KeptBody;
  /** A refusal for size of a request that was not kept. */
  readonly overflow?: Extract<Failure, { type: 'overflow' }>;
}

/** Hands an answer on while it is read. */
export async function hearAnswer(
  state: GatewayState,
  exchange: Exchange,
  { route }: Settled,
  inbound: Inbound,
  kept: KeptRequest | undefined,
  mayRetry: boolean,
): Promise<Heard> {
  const dialect = DIALECTS[route.api];
  const { pingMs } = state;
  if (inbound.status >= 400) {
    const { held, value } = await collectAnswer(inbound);
    const heard = mayRetry ? await hearRefusal(inbound, value, kept, dialect.wire.failure) : {};
    if (heard.smaller === undefined && heard.overflow === undefined)
      await relayResponse(exchange, held, { dialect, pingMs });
    return heard;
  }
  const usage = createUsageReader(dialect.wire);
  const end = (): void => {
    const found = usage.usage();
    if (found !== undefined) exchange.line.usage = found;
  };
  if (isEventStream(inbound) && !isCoded(inbound)) {
    const watch = kept?.watch();
    const begun =
      watch === undefined
        ? inbound
        : await holdUntil(
            inbound,
            (chunk) => watch.read(chunk),
            () => watch.spoke,
          );
    if (mayRetry && watch?.failure?.type === 'overflow') {
      const smaller = await kept?.fail(watch.failure).catch(() => undefined);
      if (smaller !== undefined) {
        inbound.discard();
        return { smaller };
      }
    }
    await relayResponse(exchange, begun, {
      dialect,
      pingMs,
      onChunk: usage.readEvents,
      onEnd() {
        watch?.end();
        end();
      },
    });
    return {};
  }
  await relayWhole(exchange, inbound, { dialect, pingMs }, (value) => {
    usage.readAnswer(value);
    kept?.hear(value);
    end();
  });
  return {};
}

async function hearRefusal(
  { status, headers }: Inbound,
  value: unknown,
  kept: KeptRequest | undefined,
  readFailure: (status: number, body: unknown) => Failure | undefined,
): Promise<Heard> {
  const named = (name: string): Record<string, string> => {
    const found = findHeader(headers, name);
    return found === undefined ? {} : { [name]: found };
  };
  if (kept === undefined) {
    const failure = readFailure(status, value);
    return failure?.type === 'overflow' ? { overflow: failure } : {};
  }
  const refusal = { status, body: value, headers: { ...named('retry-after'), ...named('retry-after-ms') } };
  const smaller = await kept.fail(refusal).catch(() => undefined);
  return smaller === undefined ? {} : { smaller };
}

/** All of an answer, and the same answer once more to be handed on as it came. */
async function collectAnswer(inbound: Inbound): Promise<{ readonly held: Inbound; readonly value: unknown }> {
  const chunks: Buffer[] = [];
  for await (const chunk of inbound.body) chunks.push(chunk);
  const value = await readValue(inbound, Buffer.concat(chunks));
  return { held: { ...inbound, body: repeatChunks(chunks) }, value };
}

async function readValue({ headers }: Inbound, bytes: Buffer): Promise<unknown> {
  const coding = findHeader(headers, 'content-encoding') ?? '';
  const plain = await inflateBody(bytes, coding, MOST_ANSWER_BYTES).catch(() => undefined);
  const text = plain?.toString('utf8');
  return text === undefined ? undefined : (parseJson(text) ?? text);
}

/** Reads along with a whole answer, or with a stream that is compressed, and tells at its end what it said. */
async function relayWhole(
  exchange: Exchange,
  inbound: Inbound,
  options: Parameters<typeof relayResponse>[2],
  tell: (value: unknown) => void,
): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  await relayResponse(exchange, inbound, {
    ...options,
    onChunk(chunk) {
      size += chunk.length;
      if (size <= MOST_ANSWER_BYTES) chunks.push(chunk);
    },
  });
  if (size > MOST_ANSWER_BYTES || exchange.line.ended !== undefined) return;
  const value = await readValue(inbound, Buffer.concat(chunks));
  if (typeof value === 'object' && value !== null) tell(value);
}

/** The answer from its beginning, once enough of it is here to know something. */
async function holdUntil(inbound: Inbound, read: (chunk: Buffer) => void, isEnough: () => boolean): Promise<Inbound> {
  const held: Buffer[] = [];
  const rest = inbound.body[Symbol.asyncIterator]();
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  while (!isEnough() && !isOver && failure === undefined) {
    try {
      const { done, value } = await rest.next();
      isOver = done === true;
      if (value === undefined) continue;
      held.push(value);
      read(value);
    } catch (error) {
      failure = { error };
    }
  }
  const go = async function* (): AsyncGenerator<Buffer> {
    yield* held;
    if (failure !== undefined) throw failure.error;
    while (!isOver) {
      const { done, value } = await rest.next();
      if (done === true) return;
      read(value);
      yield value;
    }
  };
  return { ...inbound, body: go() };
}

async function* repeatChunks(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}
