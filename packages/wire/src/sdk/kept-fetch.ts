import { anthropicMessages } from '../anthropic-messages.ts';
import { gemini } from '../gemini.ts';
import { asFields, asNumber, asString, type Fields, isFields } from '../json.ts';
import { openaiChat } from '../openai-chat.ts';
import { openaiResponses } from '../openai-responses.ts';
import type { Encoded, Failure, Wire } from '../wire.ts';
import { createConversations, isInside } from './conversations.ts';
import type { KeepOptions, Kept } from './keep-options.ts';
import { createStreamWatch } from './stream-watch.ts';

/** An HTTP request as an SDK is about to send it. */
export interface Outgoing {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal?: AbortSignal | undefined;
}

export type SendOn = (body: string, headers: Headers) => Promise<Response>;

/** Undefined: none of our business, to be sent as it is. */
export type KeptFetch = (request: Outgoing, send: SendOn) => Promise<Response | undefined>;

const WIRES: readonly (readonly [RegExp, Wire<never>])[] = [
  [/\/v1\/messages$/, anthropicMessages as Wire<never>],
  [/\/chat\/completions$/, openaiChat as Wire<never>],
  [/\/responses$/, openaiResponses as Wire<never>],
  [/:(?:generateContent|streamGenerateContent)$/, gemini as Wire<never>],
];

const LIMITS = ['max_completion_tokens', 'max_tokens', 'max_output_tokens', 'maxOutputTokens'];

/**
 * Keeps every conversation that passes through within its window. Refusals for size are answered inside, by a smaller
 * body; every other failure is the SDK's to retry, and a retry finds the same session and the same bytes.
 */
export function createKeptFetch(options: KeepOptions): KeptFetch {
  const conversations = createConversations(options);
  return async (request, send) => {
    const wire = request.method.toUpperCase() === 'POST' && !isInside() ? wireFor(request.url) : undefined;
    const given = wire === undefined ? undefined : textOf(request.body);
    const body = given === undefined ? undefined : fieldsOf(given);
    if (wire === undefined || body === undefined) return undefined;
    const kept = await conversations.keep({
      format: wire,
      body: body as never,
      model: asString(body.model) ?? modelIn(request.url),
      maxOutput: limitIn({ ...asFields(body.generationConfig), ...body }),
      headers: betas(request.headers),
      signal: request.signal,
    });
    if (kept === undefined) return undefined;

    let next: Encoded<unknown> = kept;
    for (let broken = 0; ; ) {
      const text = next.body === body ? given! : JSON.stringify(next.body);
      const response = await send(text, headersFor(request.headers, next.headers));
      let heard: Heard;
      try {
        heard = await hear(response, wire, kept);
      } catch (error) {
        // Nothing of it was handed on yet, so it can be asked for again; to the SDK the request has already succeeded.
        if (request.signal?.aborted === true || ++broken > MOST_BROKEN) throw error;
        continue;
      }
      if (heard.failure?.type !== 'overflow') return heard.response();
      const smaller = await kept.refused(heard.failure);
      if (smaller === undefined) return heard.response();
      await heard.discard();
      next = smaller;
    }
  };
}

/** Answers in a row that broke off before anybody saw them. */
const MOST_BROKEN = 2;

function wireFor(url: string): Wire<never> | undefined {
  const { pathname } = new URL(url, 'http://localhost');
  return WIRES.find(([path]) => path.test(pathname))?.[1];
}

/** Gemini names the model in the path: `models/<model>:generateContent`. */
const modelIn = (url: string): string => /\/models\/([^/:]+):/.exec(url)?.[1] ?? '';

const limitIn = (fields: Fields): number | undefined =>
  LIMITS.map((name) => asNumber(fields[name])).find((limit) => limit !== undefined);

/** JSON bodies come as text or as its bytes; anything else is not ours. */
function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array || body instanceof ArrayBuffer ? new TextDecoder().decode(body) : undefined;
}

function fieldsOf(text: string): Fields | undefined {
  const value = parsed(text);
  return isFields(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const BETA = 'anthropic-beta';

function betas(headers: Headers): Readonly<Record<string, string>> {
  const given = headers.get(BETA);
  return given === null ? {} : { [BETA]: given };
}

function headersFor(given: Headers, added: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(given);
  headers.delete('content-length');
  for (const [name, value] of Object.entries(added)) {
    const before = name === BETA ? (headers.get(name)?.split(',') ?? []) : [];
    headers.set(name, [...new Set([...before, ...value.split(',')].map((one) => one.trim()))].join(','));
  }
  return headers;
}

interface Heard {
  readonly failure: Failure | undefined;
  response(): Response;
  /** For a response that nobody will read. */
  discard(): Promise<void>;
}

async function hear(response: Response, wire: Wire<never>, kept: Kept<never>): Promise<Heard> {
  if (response.ok && /^text\/event-stream/i.test(response.headers.get('content-type') ?? '') && response.body !== null)
    return hearStream(response, response.body, wire, kept);
  // A stream of another kind is left alone: to read it whole would hold it back.
  const isJson = /[/+]json/i.test(response.headers.get('content-type') ?? '');
  if (response.ok && (!isJson || /:streamGenerateContent$/.test(new URL(response.url || 'http://localhost').pathname)))
    return { failure: undefined, response: () => response, discard: async () => {} };
  const bytes = await response.arrayBuffer();
  const text = new TextDecoder().decode(bytes);
  const value = parsed(text) ?? text;
  const failure = wire.failure(response.status, value, response.headers);
  if (failure === undefined) kept.answered(wire.usage(value).usage);
  return { failure, response: () => again(response, bytes), discard: async () => {} };
}

/** Waits for the first event that says something, then hands the stream on chunk by chunk as it comes. */
async function hearStream(
  response: Response,
  body: ReadableStream<Uint8Array>,
  wire: Wire<never>,
  kept: Kept<never>,
): Promise<Heard> {
  const watch = createStreamWatch(wire);
  const reader = body.getReader();
  const held: Uint8Array[] = [];
  let ended = false;
  while (!watch.spoke && !ended) {
    const { done, value } = await reader.read();
    ended = done;
    if (value === undefined) continue;
    watch.read(value);
    held.push(value);
  }
  const finish = (): void => {
    if (watch.failure === undefined) kept.answered(watch.usage);
    // Cut off at the window's end, which nobody can take back any more: the next request is smaller.
    else if (watch.failure.type === 'overflow') void kept.refused(watch.failure).catch(() => {});
  };
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      async pull(controller) {
        const first = held.shift();
        if (first !== undefined) return controller.enqueue(first);
        const { done, value } = ended ? { done: true, value: undefined } : await reader.read();
        if (done || value === undefined) {
          finish();
          return controller.close();
        }
        watch.read(value);
        controller.enqueue(value);
      },
      async cancel(reason) {
        finish();
        await reader.cancel(reason);
      },
    });
  return { failure: watch.failure, response: () => again(response, stream()), discard: () => reader.cancel() };
}

/** The same response with a body that can still be read. */
function again(response: Response, body: ArrayBuffer | ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers, url } = response;
  const isEmpty = status === 204 || status === 304 || (body instanceof ArrayBuffer && body.byteLength === 0);
  const made = new Response(isEmpty ? null : body, { status, statusText, headers });
  return Object.defineProperty(made, 'url', { value: url });
}
