import { parseJson } from '@palimpsest/core/json';
import type { AnswerWatch } from '@palimpsest/sdk/keeper';
import type { Failure, Wire } from '@palimpsest/wire';
import { isCoded, isEventStream } from '../exchange/relay-response.ts';
import { inflateBody } from '../http/inflate-body.ts';
import { findHeader } from '../http/raw-headers.ts';
import type { Inbound } from '../http/send-upstream.ts';
import type { WrittenBody } from '../keep/body-types.ts';
import type { KeptTurn } from '../keep/kept-turn.ts';
import { isThreadLost } from '../keep/open-body.ts';
import { holdAnswer } from './hold-answer.ts';

/** Larger ones are handed on without being looked into. */
export const MOST_ANSWER_BYTES = 32 * 2 ** 20;

/** What an upstream made of a request. */
export type Acceptance =
  /** To be handed on, from its first byte. The watch has read what came so far. */
  | { readonly type: 'answer'; readonly inbound: Inbound; readonly watch?: AnswerWatch | undefined }
  /** A refusal for size: this can be sent instead. */
  | { readonly type: 'smaller'; readonly body: WrittenBody }
  /** A refusal for size of a request that was not kept, or not any more, and the window that it states, if it does. */
  | { readonly type: 'overflow'; readonly inbound: Inbound; readonly maximum: number | undefined };

/** Reads as much of an answer as tells whether the request was too long; nothing of it goes to the client before, unless that takes longer than `mostMs`. */
export async function acceptAnswer(
  inbound: Inbound,
  wire: Wire<never>,
  kept: KeptTurn | undefined,
  mostMs: number,
): Promise<Acceptance> {
  if (inbound.status >= 400) return acceptRefusal(inbound, wire, kept, mostMs);
  if (kept === undefined || !isEventStream(inbound) || isCoded(inbound)) return { type: 'answer', inbound };
  const watch = kept.watch();
  const { held: begun } = await holdAnswer(inbound, { isEnough: () => watch.spoke, onChunk: watch.read, mostMs });
  if (watch.failure?.type !== 'overflow') return { type: 'answer', inbound: begun, watch };
  const body = await kept.shrink(watch.failure).catch(readLoss);
  if (body === 'lost') return { type: 'overflow', inbound: begun, maximum: undefined };
  if (body === undefined) return { type: 'answer', inbound: begun, watch };
  inbound.discard();
  return { type: 'smaller', body };
}

/** Where whoever kept it knows nothing of it any more, it has to be kept anew. */
const readLoss = (error: unknown): 'lost' | undefined => (isThreadLost(error) ? 'lost' : undefined);

async function acceptRefusal(
  inbound: Inbound,
  wire: Wire<never>,
  kept: KeptTurn | undefined,
  mostMs: number,
): Promise<Acceptance> {
  const { status, headers } = inbound;
  const { held, value } = await collectAnswer(inbound, { mostMs });
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
  const body = await kept.fail(refusal).catch(readLoss);
  if (body === 'lost') return { type: 'overflow', inbound: held, maximum: undefined };
  return body === undefined ? { type: 'answer', inbound: held } : { type: 'smaller', body };
}

export interface CollectOptions {
  /** One of more bytes is handed on as it comes, and nothing is known of it. */
  readonly mostBytes?: number;
  /** So is one that takes longer. */
  readonly mostMs?: number;
}

export interface Collected {
  readonly held: Inbound;
  /** Decompressed; undefined where not all of it is known, or that is not possible. */
  readonly plain: Buffer | undefined;
  /** Parsed where it is JSON. */
  readonly value: unknown;
  readonly isBroken: boolean;
}

/** All that an answer says, and the same answer once more to be handed on as it came. */
export async function collectAnswer(
  inbound: Inbound,
  { mostBytes = MOST_ANSWER_BYTES, mostMs }: CollectOptions = {},
): Promise<Collected> {
  let size = 0;
  const { held, chunks, isOver, isBroken } = await holdAnswer(inbound, {
    isEnough: () => size > mostBytes,
    onChunk: (chunk) => {
      size += chunk.length;
    },
    mostMs,
  });
  const plain = isOver ? await readPlain(inbound, Buffer.concat(chunks)) : undefined;
  return { held, plain, value: readJson(plain), isBroken };
}

export const readValue = async (inbound: Inbound, bytes: Buffer): Promise<unknown> =>
  readJson(await readPlain(inbound, bytes));

async function readPlain({ headers }: Inbound, bytes: Buffer): Promise<Buffer | undefined> {
  const coding = findHeader(headers, 'content-encoding') ?? '';
  return inflateBody(bytes, coding, MOST_ANSWER_BYTES).catch(() => undefined);
}

function readJson(plain: Buffer | undefined): unknown {
  const text = plain?.toString('utf8');
  return text === undefined ? undefined : (parseJson(text) ?? text);
}
