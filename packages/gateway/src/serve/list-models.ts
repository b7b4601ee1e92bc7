import { asFields, asString, type Fields, isFields } from '@palimpsest/core/json';
import { KNOWN_MODELS } from '@palimpsest/wire';
import { DIALECTS } from '../dialects/dialect.ts';
import { answerClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { makeOutbound } from '../exchange/forward.ts';
import { relayResponse } from '../exchange/relay-response.ts';
import type { GatewayState } from '../gateway-state.ts';
import { setHeader } from '../http/raw-headers.ts';
import { collectAnswer } from './accept-answer.ts';
import { type Settled, sendOn } from './pass-request.ts';

/** What the provider lists, with the windows that are known here; the known ones where it lists none. */
export async function listModels(state: GatewayState, exchange: Exchange, settled: Settled): Promise<void> {
  const { route, destination, change } = settled;
  const { upstream } = destination;
  const outbound = makeOutbound(exchange, destination, undefined, (headers) =>
    setHeader(change(headers), 'accept-encoding', 'identity'),
  );
  const inbound = await sendOn(state, exchange, settled, outbound);
  if (inbound === undefined) return;
  const { held, value } = await collectAnswer(inbound);
  if ([404, 405, 501].includes(held.status)) {
    const data = KNOWN_MODELS.map(({ name }) => addWindow(state, upstream.name, { id: name, object: 'model' }));
    return answerClient(exchange, 200, JSON.stringify({ object: 'list', data }));
  }
  const listed = isFields(value) && Array.isArray(value.data) ? value.data : [];
  const data = listed.map((model) => addWindow(state, upstream.name, asFields(model)));
  if (held.status === 200 && data.some((model, i) => model !== listed[i]))
    return answerClient(exchange, 200, JSON.stringify({ ...asFields(value), data }));
  await relayResponse(exchange, held, { dialect: DIALECTS[route.api], pingMs: state.pingMs });
}

/** Only where the provider states none. */
function addWindow({ windows }: GatewayState, upstream: string, model: Fields): Fields {
  const window = windows.find(asString(model.id) ?? '', upstream);
  const isStated = ['context_window', 'context_length', 'max_input_tokens'].some((name) => model[name] !== undefined);
  return window === undefined || isStated ? model : { ...model, context_window: window };
}
