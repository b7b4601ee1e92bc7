import { DIALECTS } from '../dialects/dialect.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { makeOutbound } from '../exchange/forward.ts';
import type { GatewayState } from '../gateway-state.ts';
import { findHeader, omitHeaders, type RawHeaders, setHeader } from '../http/raw-headers.ts';
import type { Outbound } from '../http/send-upstream.ts';
import type { WrittenBody } from '../keep/body-types.ts';
import type { KeptTurn } from '../keep/kept-turn.ts';
import { type Acceptance, acceptAnswer } from './accept-answer.ts';
import { type Settled, sendOn } from './pass-request.ts';
import { restoreNamesIn } from './restore-names.ts';

/** What to send, and what is to hear about it. */
export interface ToSend {
  readonly settled: Settled;
  /** As they came. */
  readonly bytes: Uint8Array;
  readonly kept: KeptTurn | undefined;
  /** The answer is read and made anew here: it must not be compressed, and the body is another one than came. */
  readonly isRead?: boolean;
}

/** So often a request is kept anew whose worker thread ends again and again. */
export const MOST_ANEW = 3;

/** Smaller bodies in a row. */
const MOST_SMALLER = 4;

/** Sends a request until it is not too long any more. Undefined: there was no answer, and the client was told. */
export async function sendKept(
  state: GatewayState,
  exchange: Exchange,
  toSend: ToSend,
): Promise<Exclude<Acceptance, { type: 'smaller' }> | undefined> {
  const { settled, kept } = toSend;
  const { wire } = DIALECTS[settled.route.api];
  let next: WrittenBody | undefined = kept;
  for (let tries = 0; ; tries++) {
    const outbound = makeSent(exchange, toSend, next);
    const inbound = await sendOn(state, exchange, settled, outbound);
    if (inbound === undefined) return undefined;
    if (tries === MOST_SMALLER) return { type: 'answer', inbound };
    const accepted = await acceptAnswer(inbound, wire, kept, state.pingMs);
    if (accepted.type !== 'smaller') return { ...accepted, inbound: restoreNamesIn(accepted.inbound, next?.names) };
    next = accepted.body;
  }
}

/** The client's own bytes, or a changed body in their place. */
function makeSent(
  exchange: Exchange,
  { settled: { destination, change }, bytes, isRead = false }: ToSend,
  next: WrittenBody | undefined,
): Outbound {
  const { line, ownHeaders } = exchange;
  const sent = next?.bytes === undefined ? undefined : next;
  const body = sent?.bytes ?? bytes;
  const outbound = makeOutbound(exchange, destination, body, (headers) => {
    const own = omitHeaders(change(headers), sent === undefined ? CHUNKED : RECODED);
    const sized = setHeader(own, 'content-length', String(body.length));
    const isPlain = isRead || sent?.names !== undefined;
    const plain = isPlain ? setHeader(sized, 'accept-encoding', 'identity') : sized;
    return sent === undefined ? plain : joinHeaders(plain, sent.headers);
  });
  if (line.overheadMs === undefined) {
    line.overheadMs = exchange.elapsedMs();
    ownHeaders.push('x-palimpsest-overhead-ms', line.overheadMs.toFixed(1));
  }
  return outbound;
}

const CHUNKED = new Set(['transfer-encoding']);
const RECODED = new Set(['transfer-encoding', 'content-encoding']);

/** Lists with commas are joined; what stood in them keeps its order. */
function joinHeaders(headers: RawHeaders, added: Readonly<Record<string, string>>): RawHeaders {
  let joined = headers;
  for (const [name, value] of Object.entries(added)) {
    const before = findHeader(joined, name);
    const known = (before ?? '').split(',').map((one) => one.trim());
    const more = value.split(',').filter((one) => !known.includes(one.trim()));
    if (before === undefined) joined = setHeader(joined, name, value);
    else if (more.length > 0) joined = setHeader(joined, name, [before, ...more].join(','));
  }
  return joined;
}
