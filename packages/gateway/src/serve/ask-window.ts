import { asFields, asNumber } from '@palimpsest/core/json';
import type { Exchange } from '../exchange/exchange.ts';
import { makeOutbound } from '../exchange/forward.ts';
import type { GatewayState } from '../gateway-state.ts';
import { mapHeaders, type RawHeaders } from '../http/raw-headers.ts';
import { collectAnswer } from './accept-answer.ts';
import type { Settled } from './pass-request.ts';

/** As providers call the tokens that a model takes: Anthropic, Gemini, and servers that speak as OpenAI does. */
const STATED = ['max_input_tokens', 'inputTokenLimit', 'context_window', 'context_length', 'max_model_len'];
/** The first request of a model waits no longer for it. */
const PATIENCE_MS = 1_000;
/** Names of models come from clients, who may send any. */
const MOST_ASKED = 1_000;

/** Who did not answer is asked again after this, and so is who refused the key. */
const REST_MS = 60_000;
/** Answers that will not change: as asked for, or no such thing. */
const FINAL = [200, 404];

/**
 * What the provider states as the window of a model that is not known here, asked for once, with the client's own key. Undefined: it
 * states none; what it says as it refuses a request teaches the rest.
 */
export function askWindow(
  state: GatewayState,
  exchange: Exchange,
  settled: Settled,
  model: string,
): Promise<number | undefined> {
  const { asked } = state;
  const name = `${settled.destination.upstream.name} ${model}`;
  const before = asked.get(name);
  if (before !== undefined) return before;
  const pathname = findModelPath(settled.destination.pathname, model);
  if (pathname === undefined || asked.size >= MOST_ASKED) return Promise.resolve(undefined);
  const forget = (): undefined => void setTimeout(() => asked.delete(name), REST_MS).unref();
  const answer = sendQuestion(state, exchange, settled, pathname).then(({ status, window }) => {
    if (!FINAL.includes(status)) return forget();
    if (window !== undefined) state.windows.learn(model, window);
    return window;
  }, forget);
  asked.set(name, answer);
  return answer;
}

async function sendQuestion(
  { sender }: GatewayState,
  exchange: Exchange,
  { destination, change }: Settled,
  pathname: string,
): Promise<{ readonly status: number; readonly window: number | undefined }> {
  const outbound = makeOutbound(exchange, { ...destination, pathname }, undefined, (headers) =>
    change(omitBody(headers)),
  );
  // Of what stands in the query a key may be needed; how a stream is to be written is not.
  const path = outbound.path.replace(/([?&])alt=[^&]*&?/, '$1').replace(/[?&]$/, '');
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const inbound = await sender.send({ ...outbound, method: 'GET', path, signal });
  const { value } = await collectAnswer(inbound);
  const model = asFields(value);
  const window = STATED.map((field) => asNumber(model[field])).find((tokens) => tokens !== undefined && tokens > 0);
  return { status: inbound.status, window };
}

/** Gemini's stands in the path; the others' is beside where messages go. */
function findModelPath(pathname: string, model: string): string | undefined {
  const gemini = /^(.*\/models\/[^/:]+):\w+$/.exec(pathname)?.[1];
  if (gemini !== undefined || model === '') return gemini;
  const [, base] = /^(.*)\/(?:messages|chat\/completions|responses)$/.exec(pathname) ?? [];
  return base === undefined ? undefined : `${base}/models/${encodeURIComponent(model)}`;
}

const OF_BODY = new Set(['content-length', 'content-type', 'content-encoding', 'transfer-encoding', 'expect']);

const omitBody = (headers: RawHeaders): RawHeaders =>
  mapHeaders(headers, (name, value) => (OF_BODY.has(name) ? undefined : value));
