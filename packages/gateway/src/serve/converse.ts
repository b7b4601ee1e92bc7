import { DIALECTS } from '../dialects/dialect.ts';
import { refuseClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayState } from '../gateway-state.ts';
import { BodyError } from '../http/body-error.ts';
import { type Asked, isSwitchedOff, keepAsked, readAsked } from './asked.ts';
import { converseRounds } from './converse-rounds.ts';
import type { Settled } from './pass-request.ts';
import { type ReadRequest, readRequest } from './read-request.ts';
import { relayAnswer } from './relay-answer.ts';
import { sendKept } from './send-kept.ts';

/** A request of a conversation: kept within its window where that can be, and passed on as it came where not. */
export async function converse(state: GatewayState, exchange: Exchange, settled: Settled): Promise<void> {
  const read = await readOrRefuse(state, exchange, settled);
  if (read === undefined) return;
  const { bytes } = read;
  const asked = readAsked(state, exchange, settled, read.body);
  const outcome = await tryRounds(state, exchange, settled, asked);
  if (outcome === 'answered') return;
  let kept =
    asked === undefined || outcome === 'as-it-came' ? undefined : await keepAsked(state, exchange, settled, asked);
  let accepted = await sendKept(state, exchange, { settled, bytes, kept });
  // The refusal taught what nobody had stated.
  if (accepted?.type === 'overflow' && asked !== undefined) {
    state.windows.learn(asked.model, accepted.maximum);
    kept = await keepAsked(state, exchange, settled, { ...asked, window: accepted.maximum });
    if (kept !== undefined) accepted = await sendKept(state, exchange, { settled, bytes, kept });
  }
  if (accepted !== undefined) await relayAnswer(state, exchange, settled.route, { ...accepted, type: 'answer' }, kept);
}

const tryRounds = async (state: GatewayState, exchange: Exchange, settled: Settled, asked: Asked | undefined) =>
  asked === undefined || state.options.recall !== true || isSwitchedOff(exchange)
    ? 'no-tool'
    : converseRounds(state, exchange, settled, asked);

/** What a client sent; undefined where it is too large, and the client was told. */
export async function readOrRefuse(
  state: GatewayState,
  exchange: Exchange,
  { route }: Settled,
): Promise<ReadRequest | undefined> {
  try {
    return await readRequest(exchange, state.mostBodyBytes);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    refuseClient(exchange, DIALECTS[route.api], { status: error.status, message: `palimpsest: ${error.message}` });
    return undefined;
  }
}
