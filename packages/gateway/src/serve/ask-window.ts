import { toWellFormed } from '@palimpsest/core';
import { asFields, asList, asNumber } from '@palimpsest/core/json';
import type { Exchange } from '../exchange/exchange.ts';
import { makeOutbound } from '../exchange/forward.ts';
import type { GatewayState } from '../gateway-state.ts';
import { mapHeaders, type RawHeaders } from '../http/raw-headers.ts';
import { MOST_NAME_CHARS } from '../keep/windows.ts';
import { collectAnswer } from './accept-answer.ts';
import type { Settled } from './pass-request.ts';

/** As providers call the tokens that a model takes: Anthropic, Gemini, and servers that speak as OpenAI does. */
const STATED = ['max_input_tokens', 'inputTokenLimit', 'context_window', 'context_length', 'max_model_len'];
/** No model takes less: a smaller number means something else, and nobody is to be kept within it. */
const LEAST_TOKENS = 1_000;
/** The first request of a model waits no longer for it. */
const PATIENCE_MS = 1_000;
/** Names of models come from clients, who may send any. */
const MOST_ASKED = 1_000;
/** The longest list of models has hundreds of kilobytes. */
const MOST_BYTES = 4 * 2 ** 20;

/** Who did not answer is asked again after this, and so is who refused the key. */
const REST_MS = 60_000;
/** Answers that will not change: as asked for, or no such thing. */
const NO_SUCH_THING = [404, 405, 501];
const FINAL = [200, ...NO_SUCH_THING];

/**
 * What the provider states as the window of a model that is not known here, asked for once, with the client's own key. Undefined: it
 * states none; what it says as it refuses a request teaches the rest. A tenant whose key was refused asks for itself alone.
 */
export function askWindow(
  state: GatewayState,
  exchange: Exchange,
  settled: Settled,
  { model, tenant }: { readonly model: string; readonly tenant: string },
): Promise<number | undefined> {
  const { asked } = state;
  const { upstream, pathname } = settled.destination;
  const name = `${upstream.name} ${tenant} ${model}`;
  const before = asked.get(name);
  if (before !== undefined) return before;
  const paths = findPaths(pathname, model);
  if (paths === undefined) return Promise.resolve(undefined);
  const [oldest] = asked.keys();
  if (asked.size >= MOST_ASKED && oldest !== undefined) asked.delete(oldest);
  const forget = (): undefined => void setTimeout(() => asked.delete(name), REST_MS).unref();
  const answer = askPaths(state, exchange, settled, paths, model).then(({ status, window }) => {
    if (!FINAL.includes(status)) return forget();
    if (window !== undefined) state.windows.learn(model, upstream.name, window);
    return window;
  }, forget);
  asked.set(name, answer);
  return answer;
}

interface Statement {
  readonly status: number;
  readonly window: number | undefined;
}

interface Paths {
  /** Where the provider tells of this model. */
  readonly own: string;
  /** Where it tells of all: many servers have only that. */
  readonly all?: string;
}

async function askPaths(
  state: GatewayState,
  exchange: Exchange,
  settled: Settled,
  { own, all }: Paths,
  model: string,
): Promise<Statement> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { status, value } = await sendQuestion(state, exchange, settled, own, signal);
  if (all === undefined || !NO_SUCH_THING.includes(status)) return { status, window: readWindow(value) };
  const list = await sendQuestion(state, exchange, settled, all, signal);
  const found = asList(asFields(list.value).data).find((one) => asFields(one).id === model);
  return { status: list.status, window: readWindow(found) };
}

async function sendQuestion(
  { sender }: GatewayState,
  exchange: Exchange,
  { destination, change }: Settled,
  pathname: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly value: unknown }> {
  const outbound = makeOutbound(exchange, { ...destination, pathname }, undefined, (headers) =>
    change(omitBody(headers)),
  );
  // Of what stands in the query a key may be needed; how a stream is to be written is not.
  const path = outbound.path.replace(/([?&])alt=[^&]*&?/, '$1').replace(/[?&]$/, '');
  const inbound = await sender.send({ ...outbound, method: 'GET', path, signal });
  const { value, isBroken } = await collectAnswer(inbound, { mostBytes: MOST_BYTES });
  if (isBroken) throw new Error('the answer broke off');
  if (value === undefined) inbound.discard();
  return { status: inbound.status, value };
}

function readWindow(value: unknown): number | undefined {
  const model = asFields(value);
  return STATED.map((field) => asNumber(model[field])).find(
    (tokens) => tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= LEAST_TOKENS,
  );
}

/** Gemini's stands in the path; the others' are beside where messages go. Undefined for a name that is no name. */
function findPaths(pathname: string, model: string): Paths | undefined {
  const gemini = /^(.*\/models\/[^/:]+):\w+$/.exec(pathname)?.[1];
  if (gemini !== undefined) return { own: gemini };
  if (!/[^.]/.test(model) || model.length > MOST_NAME_CHARS) return undefined;
  const [, base] = /^(.*)\/(?:messages|chat\/completions|responses)$/.exec(pathname) ?? [];
  const all = `${base}/models`;
  // Half a surrogate pair has no bytes, and cannot stand in a path.
  return base === undefined ? undefined : { own: `${all}/${encodeURIComponent(toWellFormed(model))}`, all };
}

const OF_BODY = new Set(['content-length', 'content-type', 'content-encoding', 'transfer-encoding', 'expect']);

const omitBody = (headers: RawHeaders): RawHeaders =>
  mapHeaders(headers, (name, value) => (OF_BODY.has(name) ? undefined : value));
