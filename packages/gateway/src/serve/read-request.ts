import { setImmediate as nextTurn } from 'node:timers/promises';
import { DIALECTS } from '../dialects/dialect.ts';
import { refuseClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayState } from '../gateway-state.ts';
import { BodyError } from '../http/body-error.ts';
import { findHeader } from '../http/raw-headers.ts';
import { readBody } from '../http/read-body.ts';
import { peekKey } from '../identity/peek-key.ts';
import { type BodyHandle, openBody } from '../keep/open-body.ts';
import { findOwners } from './owners.ts';
import type { Settled } from './pass-request.ts';

/** A request's body as it came, and by the keeper that has its conversation. */
export interface ReadRequest {
  readonly bytes: Buffer;
  /** As it says itself; undefined where it is compressed. */
  readonly plain: Buffer | undefined;
  readonly body: BodyHandle;
}

/** Reads a request and serves it. What is too large is refused; what is damaged is the provider's to refuse. */
export async function withRequest(
  state: GatewayState,
  exchange: Exchange,
  { route }: Settled,
  serve: (read: ReadRequest) => Promise<void>,
): Promise<void> {
  const { incoming, headers, line, outgoing } = exchange;
  try {
    const bytes = await readBody(incoming, state.mostBodyBytes);
    if (bytes.length >= LARGE_BYTES) await waitInLine();
    exchange.signal.throwIfAborted();
    line.bytesIn = bytes.length;
    const coding = findHeader(headers, 'content-encoding') ?? '';
    const plain = /^(?:identity)?$/i.test(coding.trim()) ? bytes : undefined;
    const keeper = state.bodies.of(peekKey(headers, plain, (fields) => findOwners(state, exchange, fields).tenant));
    const body = openBody(keeper, { id: line.id, api: route.api, bytes, coding, mostBytes: state.mostBodyBytes });
    // However it ends, other gateways may have the conversation then.
    outgoing.once('close', body.end);
    await serve({ bytes, plain, body });
  } catch (error) {
    if (!(error instanceof BodyError) || exchange.signal.aborted || outgoing.headersSent) throw error;
    refuseClient(exchange, DIALECTS[route.api], { status: error.status, message: `palimpsest: ${error.message}` });
  }
}

const LARGE_BYTES = 2 ** 16;
let lastTurn: Promise<void> = Promise.resolve();

/** Writing a large body to a socket takes milliseconds, so each one waits for an event loop turn of its own. */
function waitInLine(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

const HEAD_BYTES = 256;

/** The model, where it is the first thing that a body says, as with most SDKs: found without reading the rest. */
export const peekModel = (plain: Buffer): string | undefined =>
  /^\s*\{\s*"model"\s*:\s*"([^"\\]+)"/.exec(plain.toString('latin1', 0, HEAD_BYTES))?.[1];

/** How the names of all limits begin. */
const LIMIT = Buffer.from('"max');
const OUTPUT_LIMIT = /^"max(?:_tokens|_completion_tokens|_output_tokens|OutputTokens)"\s*:\s*(\d+)/;
const LIMIT_BYTES = 60;
/** Whoever says it more often is not looked through for it, but read. */
const MOST_LIMITS = 2_000;

/** The most output that a body asks for, found without reading it: what is quoted in its texts has other quotes. Infinite where it may be any. */
export function peekOutputLimit(plain: Buffer): number {
  let most = 0;
  let seen = 0;
  for (let at = plain.indexOf(LIMIT); at >= 0; at = plain.indexOf(LIMIT, at + LIMIT.length)) {
    if (++seen > MOST_LIMITS) return Number.POSITIVE_INFINITY;
    const stated = OUTPUT_LIMIT.exec(plain.toString('latin1', at, at + LIMIT_BYTES))?.[1];
    most = Math.max(most, Number(stated ?? 0));
  }
  return most;
}
