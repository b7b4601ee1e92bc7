import {
  answerPath,
  type Course,
  followLive,
  refuseStranger,
  relayRequest,
  renderList,
  type Served,
} from '@palimpsest/inspector';
import type { LiveSession } from '@palimpsest/sdk/keeper';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayState } from '../gateway-state.ts';
import { findOwners } from './owners.ts';

/** What is known of a session that somebody looks into. */
interface Inspected {
  readonly served: Served;
  /** Courses that were reckoned, for the file that a user saves. */
  readonly courses: Map<string, Course>;
}

const inspected = new WeakMap<LiveSession['session'], Inspected>();

/**
 * The inspector's page over the conversations at hand. A gateway with keys shows each key its own; one without, which is heard
 * on its machine alone, shows all to whoever has the key that its owner was told at the start.
 */
export async function serveInspect(state: GatewayState, exchange: Exchange): Promise<void> {
  const { incoming, outgoing, ownHeaders, line } = exchange;
  for (let i = 0; i < ownHeaders.length; i += 2) outgoing.setHeader(ownHeaders[i] ?? '', ownHeaders[i + 1] ?? '');
  await relayRequest(incoming, outgoing, async (request) => {
    const response = refuse(state, exchange, request) ?? (await answer(state, exchange, request));
    line.status = response.status;
    line.firstByteMs = exchange.elapsedMs();
    return response;
  });
}

function refuse(state: GatewayState, { headers, search }: Exchange, request: Request): Response | undefined {
  if (state.findKey === undefined) return refuseStranger(request, state.inspectKey);
  if (state.findKey(headers, search) !== undefined) return undefined;
  return Response.json({ error: 'a key of this gateway is needed: /inspect?key=…' }, { status: 403 });
}

async function answer(state: GatewayState, exchange: Exchange, request: Request): Promise<Response> {
  const listed = listOwn(state, exchange);
  const [, id, path] = /^\/inspect\/([^/]+)(\/.*)$/.exec(exchange.pathname) ?? [];
  const key = new URL(request.url).searchParams.get('key') ?? '';
  if (id === undefined || path === undefined)
    return renderList(listed, (one) => `/inspect/${encodeURIComponent(one)}/?${new URLSearchParams({ key })}`);
  const found = listed.find((one) => encodeURIComponent(one.id) === id);
  if (found === undefined)
    return Response.json({ error: 'this conversation is not at hand: it ended, or was put away' }, { status: 404 });
  const { served, courses } = openInspected(found);
  return answerPath(request, path, served, courses);
}

function listOwn(state: GatewayState, exchange: Exchange): readonly LiveSession[] {
  const all = state.keep?.keeper.list() ?? [];
  if (state.findKey === undefined) return all;
  const { tenant } = findOwners(state, exchange);
  return all.filter((one) => one.tenant === tenant);
}

function openInspected({ session, id }: LiveSession): Inspected {
  const known = inspected.get(session) ?? { served: followLive(session, id), courses: new Map() };
  inspected.set(session, known);
  return known;
}
