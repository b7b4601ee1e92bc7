import type { KeptRequest } from '@palimpsest/sdk/keeper';
import { DIALECTS } from '../dialects/dialect.ts';
import { refuseClient } from '../exchange/answer-client.ts';
import { type Exchange, readNothing } from '../exchange/exchange.ts';
import { findModelInPath } from '../exchange/route.ts';
import type { GatewayState } from '../gateway-state.ts';
import { BodyError } from '../http/body-error.ts';
import { findHeader } from '../http/raw-headers.ts';
import { writeBody } from '../http/write-body.ts';
import { describeFailure } from '../keep/keep-request.ts';
import { type Acceptance, collectAnswer } from './accept-answer.ts';
import { type Asked, isSwitchedOff, keepAsked, notePassed, readAsked, requireRoom } from './asked.ts';
import { converseRounds } from './converse-rounds.ts';
import { mayHaveServerHistory } from './find-unkept.ts';
import { manageHere, refusesManagement } from './own-management.ts';
import type { Settled } from './pass-request.ts';
import { peekModel, peekOutputLimit, type ReadRequest, readRequest } from './read-request.ts';
import { relayAnswer } from './relay-answer.ts';
import { sendKept } from './send-kept.ts';

/** A request of a conversation: kept within its window where that can be, and passed on as it came where not. */
export async function converse(state: GatewayState, exchange: Exchange, settled: Settled): Promise<void> {
  const answered = await askUpstream(state, exchange, settled);
  exchange.readNumbers = readNothing;
  if (answered === undefined) return;
  const { accepted, kept } = answered;
  await relayAnswer(state, exchange, settled.route, { ...accepted, type: 'answer' }, kept);
}

interface Answered {
  readonly accepted: Exclude<Acceptance, { type: 'smaller' }>;
  readonly kept: KeptRequest | undefined;
}

/** What is to be handed on; undefined where the client has its answer. The body is let go with the return: an answer may take long. */
async function askUpstream(state: GatewayState, exchange: Exchange, settled: Settled): Promise<Answered | undefined> {
  const read = await readOrRefuse(state, exchange, settled);
  if (read === undefined) return undefined;
  try {
    return await askKept(state, exchange, settled, read);
  } catch (error) {
    if (exchange.signal.aborted || exchange.outgoing.headersSent) throw error;
    if (error instanceof BodyError) {
      const trouble = { status: error.status, message: `palimpsest: ${error.message}` };
      return refuseClient(exchange, DIALECTS[settled.route.api], trouble) as undefined;
    }
    // Whatever it was, the client's own bytes are still here.
    notePassed(exchange, describeFailure(error));
    const accepted = await sendKept(state, exchange, { settled, bytes: [read.bytes], kept: undefined });
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
  const stated = isSmall(state, exchange, settled, read)
    ? undefined
    : readAsked(state, exchange, settled, await read.parse());
  const { upstream } = settled.destination;
  const manage = (): Asked | undefined =>
    stated !== undefined && state.unmanaged.has(upstream.name) ? manageHere(stated) : undefined;
  let managed = manage();
  let outcome = await tryRounds(state, exchange, settled, managed ?? stated);
  if (outcome === 'unmanaged') {
    managed = manage();
    outcome = await tryRounds(state, exchange, settled, managed ?? stated);
  }
  if (outcome === 'answered') return undefined;
  const asked = managed ?? stated;
  const bytes = managed === undefined ? [read.bytes] : await writeBody(managed.body, await exchange.readNumbers());
  let kept =
    asked === undefined || outcome === 'as-it-came' ? undefined : await keepAsked(state, exchange, settled, asked);
  if (kept !== undefined) requireRoom(kept, exchange);
  let accepted = await sendKept(state, exchange, { settled, bytes, kept });
  // The refusal taught what nobody had stated, or that the body was not as small as it looked.
  const refused =
    accepted?.type === 'overflow' ? (asked ?? readAsked(state, exchange, settled, await read.parse())) : undefined;
  if (accepted?.type === 'overflow' && refused !== undefined) {
    const { maximum } = accepted;
    if (maximum !== undefined) state.windows.learn(refused.model, upstream.name, maximum);
    // Its conversations are kept from now on, however small they look, and each of them finds out.
    state.windows.doubt(refused.model, upstream.name);
    const smaller = maximum === undefined ? refused : { ...refused, window: maximum };
    kept = await keepAsked(state, exchange, settled, smaller);
    // Whatever keeps it from being kept as ever, what is too long has to get smaller.
    kept ??= await keepAsked(state, exchange, settled, smaller, state.spare);
    if (kept !== undefined) accepted = await sendKept(state, exchange, { settled, bytes, kept });
  }
  const isKnown = state.unmanaged.has(upstream.name);
  if (accepted !== undefined && accepted.inbound.status >= 400 && !isKnown && asked !== undefined) {
    const { held, value } = await collectAnswer(accepted.inbound, { mostMs: state.pingMs });
    accepted = { ...accepted, inbound: held };
    if (refusesManagement(held.status, value)) {
      state.unmanaged.add(upstream.name);
      const own = manageHere(asked);
      kept = await keepAsked(state, exchange, settled, own ?? asked);
      const again = own === undefined ? bytes : await writeBody(own.body, await exchange.readNumbers());
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
  { plain }: ReadRequest,
): boolean {
  if (plain === undefined || options.store !== undefined || options.recall === true) return false;
  if (['session', 'window', 'preset'].some((name) => findHeader(headers, `x-palimpsest-${name}`) !== undefined))
    return false;
  const model = findModelInPath(destination.pathname) ?? peekModel(plain);
  const window = model === undefined ? undefined : windows.find(model, destination.upstream.name);
  if (model === undefined || window === undefined || plain.length >= window) return false;
  if (windows.isDoubted(model, destination.upstream.name)) return false;
  if (plain.length + peekOutputLimit(plain) >= window || mayHaveServerHistory(route.api, plain)) return false;
  line.model = model;
  return true;
}

/** What a client sent; undefined where it is too large, and the client was told. */
export async function readOrRefuse(
  state: GatewayState,
  exchange: Exchange,
  { route }: Settled,
): Promise<ReadRequest | undefined> {
  try {
    const read = await readRequest(state, exchange);
    const coding = findHeader(exchange.headers, 'content-encoding') ?? '';
    if (read.plain === undefined) notePassed(exchange, `its body cannot be decompressed (${coding.slice(0, 40)})`);
    return read;
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    refuseClient(exchange, DIALECTS[route.api], { status: error.status, message: `palimpsest: ${error.message}` });
    return undefined;
  }
}
