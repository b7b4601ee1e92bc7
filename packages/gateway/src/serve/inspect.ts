import { refuseStranger, relayRequest, renderList } from '@palimpsest/inspector';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayState } from '../gateway-state.ts';
import { findOwners } from './owners.ts';

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
  const keepers = state.keep === undefined ? [] : state.bodies.all;
  const tenant = state.findKey === undefined ? undefined : findOwners(state, exchange).tenant;
  const [, id, path] = /^\/inspect\/([^/]+)(\/.*)$/.exec(exchange.pathname) ?? [];
  const { url, method, headers, signal } = request;
  const key = new URL(url).searchParams.get('key') ?? '';
  const lists = await Promise.all(keepers.map((one) => one.list(tenant)));
  if (id === undefined || path === undefined)
    return renderList(lists.flat(), (one) => `/inspect/${encodeURIComponent(one)}/?${new URLSearchParams({ key })}`);
  const at = lists.findIndex((list) => list.some((one) => encodeURIComponent(one.id) === id));
  const session = lists[at]?.find((one) => encodeURIComponent(one.id) === id)?.id ?? '';
  const found = await keepers[at]?.inspect(session, tenant, { url, method, headers: [...headers], path }, signal);
  if (found === undefined)
    return Response.json({ error: 'this conversation is not at hand: it ended, or was put away' }, { status: 404 });
  return new Response(found.body, {
    status: found.status,
    headers: found.headers.map(([name, value]): [string, string] => [name, value]),
  });
}
