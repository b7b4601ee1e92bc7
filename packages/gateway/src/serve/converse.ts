import { asString } from '@palimpsest/core/json';
import type { Exchange } from '../exchange/exchange.ts';
import { findModelInPath } from '../exchange/route.ts';
import type { GatewayState } from '../gateway-state.ts';
import { BodyError } from '../http/body-error.ts';
import { findHeader } from '../http/raw-headers.ts';
import { describeFailure } from '../keep/keep-request.ts';
import type { KeptTurn } from '../keep/kept-turn.ts';
import { mayHaveServerHistory } from '../keep/server-history.ts';
import { MOST_NAME_CHARS } from '../keep/windows.ts';
import { type Acceptance, collectAnswer } from './accept-answer.ts';
import { type Asked, isSwitchedOff, keepAsked, notePassed, readAsked, requireRoom } from './asked.ts';
import { converseRounds } from './converse-rounds.ts';
import { manageHere, refusesManagement } from './own-management.ts';
import type { Settled } from './pass-request.ts';
import { findOutputLimit, type ReadRequest, withRequest } from './read-request.ts';
import { relayAnswer } from './relay-answer.ts';
import { MOST_ANEW, sendKept } from './send-kept.ts';

/** A request of a conversation: kept within its window where that can be, and passed on as it came where not. */
export async function converse(state: GatewayState, exchange: Exchange, settled: Settled): Promise<void> {
  let answered: Answered | undefined;
  await withRequest(state, exchange, settled, async (read) => {
    answered = await askUpstream(state, exchange, settled, read);
    // An answer may take long.
    read.body.drop();
  });
  if (answered === undefined) return;
  const { accepted, kept } = answered;
  await relayAnswer(state, exchange, settled.route, { ...accepted, type: 'answer' }, kept);
}

interface Answered {
  readonly accepted: Exclude<Acceptance, { type: 'smaller' }>;
  readonly kept: KeptTurn | undefined;
}

/** What is to be handed on; undefined where the client has its answer. */
async function askUpstream(
  state: GatewayState,
  exchange: Exchange,
  settled: Settled,
  read: ReadRequest,
): Promise<Answered | undefined> {
  try {
    return await askKept(state, exchange, settled, read);
  } catch (error) {
    if (exchange.signal.aborted || exchange.outgoing.headersSent || error instanceof BodyError) throw error;
    // Whatever it was, the client's own bytes are still here.
    notePassed(exchange, describeFailure(error));
    const accepted = await sendKept(state, exchange, { settled, bytes: read.bytes, kept: undefined });
    return accepted === undefined ? undefined : { accepted, kept: undefined };
  }
}

/** As it would be at best: kept, and with lookups where they are wanted. */
async function askKept(
  state: GatewayState,
  exchange: Exchange,
  settled: Settled,
  read: ReadRequest,
): Promise<Answered | undefined> {
  const { bytes: came, body } = read;
  const stated = isSmall(state, exchange, settled, read) ? undefined : await readAsked(state, exchange, settled, body);
  const { upstream } = settled.destination;
  const manage = (): Asked | undefined =>
    stated !== undefined && state.unmanaged.has(upstream.name) ? manageHere(stated) : undefined;
  const keep = async (asked: Asked, kind?: 'spare'): Promise<KeptTurn | undefined> => {
    const kept = await keepAsked(state, exchange, settled, asked, kind);
    return kept === 'no-tool' ? undefined : kept;
  };
  const write = ({ omitted }: Asked): Promise<Uint8Array> => body.ask((keeper, id) => keeper.write(id, omitted));
  let managed = manage();
  let outcome = await tryRounds(state, exchange, settled, managed ?? stated);
  if (outcome === 'unmanaged') {
    managed = manage();
    outcome = await tryRounds(state, exchange, settled, managed ?? stated);
  }
  if (outcome === 'answered') return undefined;
  const asked = managed ?? stated;
  const bytes = managed === undefined ? came : await write(managed);
  let kept = asked === undefined || outcome === 'as-it-came' ? undefined : await keep(asked);
  if (kept !== undefined) requireRoom(kept, exchange);
  let accepted = await sendKept(state, exchange, { settled, bytes, kept });
  // The refusal taught what nobody had stated, or that the body was not as small as it looked.
  for (let tries = 0; accepted?.type === 'overflow' && tries < MOST_ANEW; tries++) {
    const refused = asked ?? (await readAsked(state, exchange, settled, body));
    // Its thread ended while it read the body: the next one reads it.
    if (refused === undefined) continue;
    const { maximum } = accepted;
    if (maximum !== undefined) state.windows.learn(refused.model, upstream.name, maximum);
    // Its conversations are kept from now on, however small they look, and each of them finds out.
    state.windows.doubt(refused.model, upstream.name);
    const smaller = maximum === undefined ? refused : { ...refused, window: maximum };
    kept = await keep(smaller);
    // Whatever keeps it from being kept as ever, what is too long has to get smaller.
    kept ??= await keep(smaller, 'spare');
    if (kept === undefined) break;
    accepted = await sendKept(state, exchange, { settled, bytes, kept });
  }
  const isKnown = state.unmanaged.has(upstream.name);
  if (accepted !== undefined && accepted.inbound.status >= 400 && !isKnown && asked !== undefined) {
    const { held, value } = await collectAnswer(accepted.inbound, { mostMs: state.pingMs });
    accepted = { ...accepted, inbound: held };
    if (refusesManagement(held.status, value)) {
      state.unmanaged.add(upstream.name);
      const own = manageHere(asked);
      kept = await keep(own ?? asked);
      const again = own === undefined ? bytes : await write(own);
      accepted = await sendKept(state, exchange, { settled, bytes: again, kept });
    }
  }
  return accepted === undefined ? undefined : { accepted, kept };
}

const tryRounds = async (state: GatewayState, exchange: Exchange, settled: Settled, asked: Asked | undefined) =>
  asked === undefined || state.options.recall !== true || isSwitchedOff(exchange)
    ? 'no-tool'
    : converseRounds(state, exchange, settled, asked);

/**
 * A token takes more than a byte, by far: a body with fewer bytes than its window has tokens, behind the output that it asks for,
 * fits, and nothing need be known of it. The request that is larger brings all that was said before. Where conversations are
 * stored or looked up in, all count.
 */
function isSmall(
  { options, windows }: GatewayState,
  { headers, line }: Exchange,
  { route, destination }: Settled,
  { plain, fields }: ReadRequest,
): boolean {
  if (plain === undefined || options.store !== undefined || options.recall === true) return false;
  if (['session', 'window', 'preset'].some((name) => findHeader(headers, `x-palimpsest-${name}`) !== undefined))
    return false;
  const model = findModelInPath(destination.pathname) ?? asString(fields.model);
  const window = model === undefined ? undefined : windows.find(model, destination.upstream.name);
  if (model === undefined || window === undefined || plain.length >= window) return false;
  if (windows.isDoubted(model, destination.upstream.name)) return false;
  if (plain.length + findOutputLimit(fields) >= window || mayHaveServerHistory(route.api, fields, plain)) return false;
  line.model = model.slice(0, MOST_NAME_CHARS);
  return true;
}
