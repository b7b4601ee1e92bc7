import { Readable } from 'node:stream';
import { DIALECTS } from '../dialects/dialect.ts';
import { describeError, refuseClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type Destination, makeOutbound } from '../exchange/forward.ts';
import { relayResponse } from '../exchange/relay-response.ts';
import type { Route } from '../exchange/route.ts';
import type { GatewayState } from '../gateway-state.ts';
import { findHeader, type RawHeaders } from '../http/raw-headers.ts';
import type { Inbound, Outbound } from '../http/send-upstream.ts';

/** A request whose destination is settled. */
export interface Settled {
  readonly route: Route;
  readonly destination: Destination;
  /** Puts the provider's credential where the gateway's own key stood. */
  readonly change: (headers: RawHeaders) => RawHeaders;
}

/** A request that is none of our business: it goes through as it comes, and so does its answer. */
export async function passRequest(state: GatewayState, exchange: Exchange, settled: Settled): Promise<void> {
  const { incoming, line } = exchange;
  const dialect = DIALECTS[settled.route.api];
  const hasBody =
    findHeader(exchange.headers, 'transfer-encoding') !== undefined ||
    Number(findHeader(exchange.headers, 'content-length') ?? 0) > 0;
  incoming.on('data', (chunk: Buffer) => {
    line.bytesIn += chunk.length;
  });
  if (hasBody) incoming.pause();
  const outbound = makeOutbound(exchange, settled.destination, hasBody ? incoming : undefined, settled.change);
  line.overheadMs = exchange.elapsedMs();
  const inbound = await sendOn(state, exchange, settled, outbound);
  if (inbound !== undefined) await relayResponse(exchange, inbound, { dialect, pingMs: state.pingMs });
}

/** What came back; undefined where nothing did, and the client was told. */
export async function sendOn(
  { sender }: GatewayState,
  exchange: Exchange,
  { route, destination: { upstream } }: Settled,
  outbound: Outbound,
): Promise<Inbound | undefined> {
  try {
    return await sendTwice(sender, outbound);
  } catch (error) {
    if (exchange.signal.aborted) return undefined;
    exchange.line.ended = 'upstream';
    const message = `palimpsest: ${upstream.name} cannot be reached at ${upstream.origin} (${describeError(error)})`;
    refuseClient(exchange, DIALECTS[route.api], { status: 503, message });
    return undefined;
  }
}

/** What breaks before there is an answer: a connection that did not come about, or that the other side just left. */
const BROKEN = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

/** Once more where the connection failed and the body is still here to be sent again. */
async function sendTwice({ send }: GatewayState['sender'], outbound: Outbound): Promise<Inbound> {
  try {
    return await send(outbound);
  } catch (error) {
    const canRepeat = !(outbound.body instanceof Readable);
    if (outbound.signal.aborted || !canRepeat || !BROKEN.includes(describeError(error))) throw error;
    return send(outbound);
  }
}
