import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '@palimpsest/core/json';
import type { AnswerWatch, KeptBody, KeptRequest } from '@palimpsest/sdk/keeper';
import type { Failure, Wire } from '@palimpsest/wire';
import { isCoded, isEventStream } from '../exchange/relay-response.ts';
import { inflateBody } from '../http/inflate-body.ts';
import { findHeader } from '../http/raw-headers.ts';
import type { Inbound } from '../http/send-upstream.ts';

/** Larger ones are handed on without being looked into. */
export const MOST_ANSWER_BYTES = 32 * 2 ** 20;

/** What an upstream made of a request. */
export type Acceptance =
  /** To be handed on, from its first byte. The watch has read what came so far. */
  | { readonly type: 'answer'; readonly inbound: Inbound; readonly watch?: AnswerWatch | undefined }
  /** A refusal for size: this can be sent instead. */
  | { readonly type: 'smaller'; readonly body: KeptBody }
  /** A refusal for size of a request that was not kept, as it came, and the window that it states, if it does. */
  | { readonly type: 'overflow'; readonly inbound: Inbound; readonly maximum: number | undefined };

/** Reads as much of an answer as tells whether the request was too long; nothing of it goes to the client before, unless that takes longer than `mostMs`. */
export async function acceptAnswer(
  inbound: Inbound,
  wire: Wire<never>,
  kept: KeptRequest | undefined,
  mostMs: number,
): Promise<Acceptance> {
  if (inbound.status >= 400) return acceptRefusal(inbound, wire, kept);
  if (kept === undefined || !isEventStream(inbound) || isCoded(inbound)) return { type: 'answer', inbound };
  const watch = kept.watch();
  const begun = await holdUntil(inbound, watch, mostMs);
  if (watch.failure?.type !== 'overflow') return { type: 'answer', inbound: begun, watch };
  const body = await kept.fail(watch.failure).catch(() => undefined);
  if (body === undefined) return { type: 'answer', inbound: begun, watch };
  inbound.discard();
  return { type: 'smaller', body };
}

async function acceptRefusal(inbound: Inbound, wire: Wire<never>, kept: KeptRequest | undefined): Promise<Acceptance> {
  const { status, headers } = inbound;
  const { held, value } = await collectAnswer(inbound);
  const pickHeader = (name: string): Record<string, string> => {
    const found = findHeader(headers, name);
    return found === undefined ? {} : { [name]: found };
  };
  if (kept === undefined) {
    const failure: Failure | undefined = wire.failure(status, value);
    return failure?.type === 'overflow'
      ? { type: 'overflow', inbound: held, maximum: failure.maximum }
      : { type: 'answer', inbound: held };
  }
  const refusal = { status, body: value, headers: { ...pickHeader('retry-after'), ...pickHeader('retry-after-ms') } };
  const body = await kept.fail(refusal).catch(() => undefined);
  return body === undefined ? { type: 'answer', inbound: held } : { type: 'smaller', body };
}

/**
 * All that an answer says, and the same answer once more to be handed on as it came. One of more than `mostBytes` is handed on as it comes, and
 * nothing is known of it.
 */
export async function collectAnswer(
  inbound: Inbound,
  mostBytes = MOST_ANSWER_BYTES,
): Promise<{ readonly held: Inbound; readonly value: unknown }> {
  const chunks: Buffer[] = [];
  const rest = inbound.body[Symbol.asyncIterator]();
  let isOver = false;
  for (let size = 0; !isOver && size <= mostBytes; ) {
    const { done, value } = await rest.next();
    isOver = done === true;
    if (value === undefined) continue;
    chunks.push(value);
    size += value.length;
  }
  const value = isOver ? await readValue(inbound, Buffer.concat(chunks)) : undefined;
  return { held: { ...inbound, body: repeatChunks(chunks, rest) }, value };
}

export async function readValue({ headers }: Inbound, bytes: Buffer): Promise<unknown> {
  const coding = findHeader(headers, 'content-encoding') ?? '';
  const plain = await inflateBody(bytes, coding, MOST_ANSWER_BYTES).catch(() => undefined);
  const text = plain?.toString('utf8');
  return text === undefined ? undefined : (parseJson(text) ?? text);
}

/** The answer from its beginning, once enough of it is here to know something. */
async function holdUntil(inbound: Inbound, watch: AnswerWatch, mostMs: number): Promise<Inbound> {
  const held: Buffer[] = [];
  const rest = inbound.body[Symbol.asyncIterator]();
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  const waited = new AbortController();
  const late = sleep(mostMs, 'late' as const, { signal: waited.signal, ref: false }).catch(() => 'late' as const);
  let next: Promise<IteratorResult<Buffer>> | undefined;
  while (!watch.spoke && !isOver && failure === undefined) {
    try {
      next = rest.next();
      const come = await Promise.race([next, late]);
      if (come === 'late') break;
      next = undefined;
      const { done, value } = come;
      isOver = done === true;
      if (value === undefined) continue;
      held.push(value);
      watch.read(value);
    } catch (error) {
      next = undefined;
      failure = { error };
    }
  }
  waited.abort();
  // Heard below, where the answer is read on.
  next?.catch(() => {});
  const goOn = async function* (): AsyncGenerator<Buffer> {
    yield* held;
    if (failure !== undefined) throw failure.error;
    while (!isOver) {
      const { done, value } = await (next ?? rest.next());
      next = undefined;
      if (done === true) return;
      watch.read(value);
      yield value;
    }
  };
  return { ...inbound, body: goOn() };
}

async function* repeatChunks(chunks: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
