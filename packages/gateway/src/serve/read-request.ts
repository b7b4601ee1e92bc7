import { setImmediate as nextTurn } from 'node:timers/promises';
import { asFields, asNumber, type Fields } from '@palimpsest/core/json';
import { DIALECTS } from '../dialects/dialect.ts';
import { refuseClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayState } from '../gateway-state.ts';
import { BodyError } from '../http/body-error.ts';
import { findHeader } from '../http/raw-headers.ts';
import { readBody } from '../http/read-body.ts';
import { peekKey, readTopFields } from '../identity/peek-key.ts';
import { type BodyHandle, openBody } from '../keep/open-body.ts';
import { HISTORY_FIELDS } from '../keep/server-history.ts';
import { findOwners } from './owners.ts';
import type { Settled } from './pass-request.ts';

/** A request's body as it came, and by the keeper that has its conversation. */
export interface ReadRequest {
  readonly bytes: Buffer;
  /** As it says itself; undefined where it is compressed. */
  readonly plain: Buffer | undefined;
  /** Short fields of the plain body, read without parsing the rest. */
  readonly fields: Fields;
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
    const fields = plain === undefined ? {} : readTopFields(plain, PEEKED_FIELDS);
    const keeper = state.bodies.of(peekKey(headers, fields, (body) => findOwners(state, exchange, body).tenant));
    const body = openBody(keeper, { id: line.id, api: route.api, bytes, coding, mostBytes: state.mostBodyBytes });
    // However it ends, other gateways may have the conversation then.
    outgoing.once('close', body.end);
    await serve({ bytes, plain, fields, body });
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

const OUTPUT_LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens'];
const CONFIGS = ['generationConfig', 'generation_config'];
const SESSION_FIELDS = ['metadata', 'prompt_cache_key', 'conversation'];
const PEEKED_FIELDS = [
  'model',
  ...SESSION_FIELDS,
  ...OUTPUT_LIMITS,
  ...CONFIGS,
  ...Object.values(HISTORY_FIELDS).flat(),
];

/** The largest output limit that a body states, 0 without one. */
export function findOutputLimit(fields: Fields): number {
  const all = [fields, ...CONFIGS.map((name) => asFields(fields[name]))];
  return Math.max(...all.flatMap((one) => OUTPUT_LIMITS.map((name) => asNumber(one[name]) ?? 0)));
}
