import { DIALECTS } from '../dialects/dialect.ts';
import { refuseClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { findRoute, hasDotSegments, type Route } from '../exchange/route.ts';
import type { GatewayState } from '../gateway-state.ts';
import { findHeader, type RawHeaders } from '../http/raw-headers.ts';
import { omitKey, replaceCredential } from '../identity/gateway-keys.ts';
import { isSwitchedOff, notePassed } from './asked.ts';
import { compactInput } from './compact-input.ts';
import { converse } from './converse.ts';
import { countTokens } from './count-tokens.ts';
import { findUnkeptPath } from './find-unkept.ts';
import { listModels } from './list-models.ts';
import { findOwners } from './owners.ts';
import { passRequest, type Settled } from './pass-request.ts';

/** Everything but the gateway's own pages. */
export async function serveRequest(state: GatewayState, exchange: Exchange): Promise<void> {
  const settled = settleRequest(state, exchange);
  if (settled === undefined) return;
  const dialect = DIALECTS[settled.route.api];
  if (hasDotSegments(exchange.pathname)) return refuseClient(exchange, dialect, DOT_SEGMENTS);
  if (isWebSocket(exchange)) return refuseClient(exchange, dialect, NO_WEBSOCKETS, ['connection', 'close']);
  exchange.line.upstream = settled.destination.upstream.name;
  if (settled.route.type === 'converse') exchange.tenant = findOwners(state, exchange).tenant;
  const unkept = state.keep === undefined ? undefined : findUnkeptPath(exchange.line.method, exchange.pathname);
  if (unkept !== undefined && settled.route.type === 'pass' && !isSwitchedOff(exchange)) notePassed(exchange, unkept);
  try {
    await SERVERS[settled.route.type](state, exchange, settled);
  } catch (error) {
    if (exchange.signal.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    refuseClient(exchange, dialect, { status: 500, message: `palimpsest: ${why}` });
  }
}

const DOT_SEGMENTS = { status: 400, message: 'palimpsest: the path has "." or ".." segments; send it without them.' };

/** Clients that would rather speak over one fall back to plain requests when it is refused. */
const NO_WEBSOCKETS = { status: 426, message: 'palimpsest: no WebSockets here; send plain requests.' };

/** Whoever would rather speak HTTP/2 is not refused: it takes an answer in the version in which it asked. */
const isWebSocket = ({ headers }: Exchange): boolean =>
  /\bwebsocket\b/i.test(findHeader(headers, 'upgrade') ?? '') &&
  /\bupgrade\b/i.test(findHeader(headers, 'connection') ?? '');

const SERVERS: Readonly<
  Record<Route['type'], (state: GatewayState, exchange: Exchange, settled: Settled) => Promise<void>>
> = {
  converse,
  count: countTokens,
  compact: compactInput,
  models: listModels,
  pass: passRequest,
};

/** Where a request goes; undefined where it does not, and the client was told why. */
function settleRequest(state: GatewayState, exchange: Exchange): Settled | undefined {
  const { headers, search, line } = exchange;
  const named = state.upstreams.find('openai', exchange.pathname);
  const route = findRoute(line.method, named.pathname, headers);
  const destination = { ...state.upstreams.find(route.provider, exchange.pathname), search };
  const refuse = (message: string): undefined =>
    refuseClient(exchange, DIALECTS[route.api], { status: 401, message }) as undefined;
  if (state.findKey === undefined) return { route, destination, change: (same) => same };
  const shown = state.findKey(headers, search);
  if (shown === undefined) return refuse('palimpsest: this gateway needs a key of its own, as x-palimpsest-key.');
  const { credential } = shown;
  if (credential === undefined) return { route, destination, change: (same) => same };
  const key = state.options.upstreamKeys?.[destination.upstream.name];
  if (key === undefined)
    return refuse(
      `palimpsest: the gateway has no key for ${destination.upstream.name}. Send yours as usual, and the gateway's as x-palimpsest-key.`,
    );
  return {
    route,
    destination: { ...destination, search: omitKey(search, credential) },
    change: (sent: RawHeaders) => replaceCredential(sent, credential, route.api, key),
  };
}
