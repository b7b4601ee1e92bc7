import type { Part } from '@palimpsest/core';
import { asFields, type Fields, isFields } from '@palimpsest/core/json';
import { apis } from '@palimpsest/wire';
import { DIALECTS } from '../dialects/dialect.ts';
import { cutClient, refuseClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isCoded, isEventStream, startPings, writeChunk, writeHead } from '../exchange/relay-response.ts';
import type { GatewayState } from '../gateway-state.ts';
import { createEventCutter } from '../http/event-cutter.ts';
import { findExactNumbers, NO_NUMBERS, stringifyExactly } from '../http/exact-numbers.ts';
import { omitHeaders, omitHopByHop } from '../http/raw-headers.ts';
import type { RoundAnswer } from '../keep/body-types.ts';
import type { KeptTurn } from '../keep/kept-turn.ts';
import { isOwnCall, type Round } from '../recall/hidden-rounds.ts';
import { MERGERS } from '../recall/mergers.ts';
import { readEvents } from '../recall/read-events.ts';
import { type Acceptance, collectAnswer } from './accept-answer.ts';
import { type Asked, keepAsked, requireRoom } from './asked.ts';
import { refusesManagement } from './own-management.ts';
import type { Settled } from './pass-request.ts';
import { relayAnswer } from './relay-answer.ts';
import { MOST_ANEW, sendKept } from './send-kept.ts';
import { addUsage, createUsageReader } from './usage-reader.ts';

type Answer = Extract<Acceptance, { type: 'answer' }>;

/** A request whose model may look things up on the way to its answer. */
interface Talk {
  readonly state: GatewayState;
  readonly exchange: Exchange;
  readonly settled: Settled;
  readonly asked: Asked;
  /** Of this request, so far. */
  readonly rounds: Round[];
  /** Whole answers of those rounds. */
  readonly answers: Fields[];
}

/**
 * A request of a conversation in which the model can look up what was hidden from it. Its lookups are answered here, by further
 * rounds, and the client sees one message. `no-tool`: the request is not of that kind; `as-it-came`: it could not be kept; `unmanaged`: the
 * upstream turns out to lack `context_management`, and nothing was answered yet.
 */
export async function converseRounds(
  state: GatewayState,
  exchange: Exchange,
  settled: Settled,
  request: Asked,
): Promise<'answered' | 'no-tool' | 'as-it-came' | 'unmanaged'> {
  if (isListed(settled)) return 'no-tool';
  const asked: Asked = { ...request, rounds: [] };
  const begun = await keepAsked(state, exchange, settled, asked);
  if (begun === 'no-tool') return begun;
  if (begun === undefined) return 'as-it-came';
  requireRoom(begun, exchange);
  const talk: Talk = { state, exchange, settled, asked, rounds: [], answers: [] };
  const sent = await sendRound(talk, begun);
  if (sent === undefined) return 'answered';
  const { answer: first, kept } = sent;
  if (first.inbound.status >= 400) {
    const { held, value } = await collectAnswer(first.inbound, { mostMs: state.pingMs });
    const { name } = settled.destination.upstream;
    if (!state.unmanaged.has(name) && refusesManagement(held.status, value)) {
      state.unmanaged.add(name);
      return 'unmanaged';
    }
    await relayAnswer(state, exchange, settled.route, { ...first, inbound: held }, kept);
  } else if (isEventStream(first.inbound) && isCoded(first.inbound))
    await relayAnswer(state, exchange, settled.route, first, kept);
  else if (isEventStream(first.inbound)) await streamRounds(talk, first, kept);
  else await answerWhole(talk, first, kept);
  return 'answered';
}

/** Gemini streams one long list to those who do not ask for events. */
const isListed = ({ destination: { pathname, search } }: Settled): boolean =>
  pathname.endsWith(':streamGenerateContent') && new URLSearchParams(search).get('alt') !== 'sse';

/** With the recall tool a body is always written anew. */
const NO_BYTES = new Uint8Array();

interface Sent {
  readonly answer: Answer;
  readonly kept: KeptTurn;
}

async function sendRound(talk: Talk, first: KeptTurn): Promise<Sent | undefined> {
  const { state, exchange, settled } = talk;
  for (let [kept, tries] = [first, 0]; ; tries++) {
    const accepted = await sendKept(state, exchange, { settled, bytes: NO_BYTES, kept, isRead: true });
    if (accepted === undefined) return undefined;
    // Its thread ended before it could make it smaller.
    const again = accepted.type === 'overflow' && tries < MOST_ANEW ? await keepRounds(talk) : undefined;
    if (again === undefined) return { answer: { ...accepted, type: 'answer' }, kept };
    kept = again;
  }
}

/** The next round's answer; undefined where there is none, and the client was told. */
async function goOn(talk: Talk): Promise<Sent | undefined> {
  const { exchange, settled } = talk;
  const { api } = settled.route;
  const kept = await keepRounds(talk);
  if (kept === undefined) {
    refuseClient(exchange, DIALECTS[api], { status: 500, message: 'palimpsest: a lookup could not be gone on from.' });
    return undefined;
  }
  return sendRound(talk, kept);
}

/** The request with its rounds so far. Half an answer is paid for: where it cannot be kept as ever, it is kept in memory. */
async function keepRounds({ state, exchange, settled, asked, rounds }: Talk): Promise<KeptTurn | undefined> {
  const more: Asked = { ...asked, rounds };
  const kept =
    (await keepAsked(state, exchange, settled, more)) ?? (await keepAsked(state, exchange, settled, more, 'spare'));
  return kept === 'no-tool' ? undefined : kept;
}

/** What a round comes to. */
async function settleRound(talk: Talk, parts: readonly Part[], kept: KeptTurn): Promise<RoundAnswer> {
  const { exchange, rounds } = talk;
  const outcome = await kept.lookUp(parts, rounds).catch(async (error: unknown) => {
    // Its thread ended meanwhile: the next one is told all that it has to know.
    const again = await keepRounds(talk);
    if (again === undefined) throw error;
    return again.lookUp(parts, rounds);
  });
  rounds.push(outcome.round);
  const lookups = outcome.round.results.length;
  if (lookups > 0) exchange.line.recalls = (exchange.line.recalls ?? 0) + lookups;
  return outcome;
}

async function streamRounds(talk: Talk, first: Answer, firstKept: KeptTurn): Promise<void> {
  const { state, exchange, settled } = talk;
  const dialect = DIALECTS[settled.route.api];
  const merger = MERGERS[settled.route.api].stream();
  writeHead(exchange, first.inbound);
  const pings = startPings(exchange, { dialect, pingMs: state.pingMs });
  const put = async (text: string): Promise<void> => {
    if (text === '') return;
    pings.put();
    await writeChunk(exchange, text);
  };
  try {
    for (let [answer, kept] = [first, firstKept]; ; ) {
      if (answer.inbound.status >= 400) return await refuseRound(talk, answer);
      const { parts, hasFailed } = await readRound(talk, answer, (event) => put(merger.take(event)));
      if (hasFailed) {
        await put(merger.finish());
        return void exchange.outgoing.end();
      }
      if (!merger.isOver && (talk.rounds.length > 0 || parts.some(isOwnCall)))
        throw Object.assign(new Error('the stream stopped before its end'), { code: 'NO_END' });
      const outcome = await settleRound(talk, parts, kept);
      if (outcome.type === 'last') {
        await put(merger.finish(outcome.words));
        return void exchange.outgoing.end();
      }
      await put(merger.turnOver());
      const next = await goOn(talk);
      if (next === undefined) return;
      [answer, kept] = [next.answer, next.kept];
    }
  } catch (error) {
    cutClient(exchange, 'upstream', error);
  } finally {
    pings.stop();
  }
}

/** Reads a round to its end while its events go on. What it said, in core's own parts, and whether it said that it failed. */
async function readRound(
  { exchange, settled }: Talk,
  { inbound, watch }: Answer,
  take: (event: ReturnType<typeof readEvents>[number]) => Promise<void>,
): Promise<{ readonly parts: readonly Part[]; readonly hasFailed: boolean }> {
  const { api } = settled.route;
  const { wire } = DIALECTS[api];
  let hasFailed = false;
  const collector = apis[api].collectAnswer();
  const reader = createUsageReader(wire);
  const cutter = createEventCutter();
  const read = async (bytes: Buffer | undefined): Promise<void> => {
    if (bytes === undefined) return;
    reader.readEvents(bytes);
    for (const event of readEvents(bytes.toString('utf8'))) {
      if (event.data !== undefined) collector.take(event.data);
      hasFailed ||= event.raw.includes('"error"') && wire.failure(200, event.data) !== undefined;
      await take(event);
    }
  };
  try {
    for await (const chunk of inbound.body) await read(cutter.cut(chunk));
    await read(cutter.rest());
  } finally {
    watch?.end();
    addUsage(exchange.line, reader.usage());
  }
  return { parts: collector.parts(), hasFailed };
}

/** A later round of a stream was refused. What a client tries again by itself breaks the connection; the rest is an error event. */
async function refuseRound(
  { state, exchange, settled }: Talk,
  { inbound: { status }, inbound }: Answer,
): Promise<void> {
  const { value } = await collectAnswer(inbound, { mostMs: state.pingMs });
  const dialect = DIALECTS[settled.route.api];
  const message = dialect.wire.failure(status, value)?.message ?? 'the provider refused';
  if (status === 429 || status >= 500) cutClient(exchange, 'upstream', { code: String(status) });
  else exchange.outgoing.end(dialect.errorEvent({ status, message }));
}

/** An answer that broke off, of which nothing went out yet. */
function refuseBroken({ exchange, settled }: Talk): void {
  exchange.line.ended = 'upstream';
  const message = 'the connection to the provider broke in the middle of the answer';
  refuseClient(exchange, DIALECTS[settled.route.api], { status: 500, message });
}

const SIZED = new Set(['content-length', 'content-encoding']);

async function answerWhole(talk: Talk, first: Answer, firstKept: KeptTurn): Promise<void> {
  const { exchange, settled, answers, rounds } = talk;
  const texts: Buffer[] = [];
  const { api } = settled.route;
  for (let [answer, kept] = [first, firstKept]; ; ) {
    if (answer.inbound.status >= 400) return sendWhole(exchange, answer.inbound, undefined);
    const { held, plain, value, isBroken } = await collectAnswer(answer.inbound);
    if (isBroken) return refuseBroken(talk);
    if (!isFields(value)) return sendWhole(exchange, held, undefined);
    const collector = apis[api].collectAnswer();
    collector.take(value);
    kept.hear(value);
    const reader = createUsageReader(DIALECTS[api].wire);
    reader.readAnswer(value);
    addUsage(exchange.line, reader.usage());
    answers.push(asFields(value));
    if (plain !== undefined) texts.push(plain);
    const outcome = await settleRound(talk, collector.parts(), kept);
    if (outcome.type === 'last') {
      const saysTools = api === 'openai-responses';
      const isPlain = rounds.length === 1 && outcome.round.results.length === 0 && !saysTools;
      const numbers = isPlain ? NO_NUMBERS : findExactNumbers(Buffer.concat(texts));
      const text = isPlain ? undefined : stringifyExactly(MERGERS[api].answers(answers, outcome.words), numbers);
      return sendWhole(exchange, held, text);
    }
    const next = await goOn(talk);
    if (next === undefined) return;
    [answer, kept] = [next.answer, next.kept];
  }
}

/** The answer as it came, or the one that was made of several. */
async function sendWhole(exchange: Exchange, held: Answer['inbound'], text: string | undefined): Promise<void> {
  const { outgoing } = exchange;
  if (text === undefined) {
    writeHead(exchange, held);
    for await (const chunk of held.body) if (!(await writeChunk(exchange, chunk))) return;
  } else {
    const headers = omitHeaders(omitHopByHop(held.headers), SIZED);
    writeHead(exchange, held, [...headers, 'content-length', String(Buffer.byteLength(text))]);
    await writeChunk(exchange, text);
  }
  outgoing.end();
}
