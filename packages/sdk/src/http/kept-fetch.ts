import { findRecallTool } from '@palimpsest/core';
import { asString, type Fields, isFields, parseJson } from '@palimpsest/core/json';
import { anthropicMessages, gemini, openaiChat, openaiResponses, type Wire } from '@palimpsest/wire';
import { createConversations } from '../conversations/conversations.ts';
import { isInsideView } from '../conversations/inside-view.ts';
import type { Fitted, KeepOptions } from '../conversations/keep-options.ts';
import { BODY_LIMITS, lowerOutput, readOutputLimit } from '../conversations/lower-output.ts';
import { reportPassed } from '../conversations/passed.ts';
import { type HeardResponse, hearResponse } from './heard-response.ts';
import { findPassed } from './passed-request.ts';
import { restoreNamesIn } from './restore-names.ts';

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

interface Endpoint {
  readonly path: RegExp;
  readonly wire: Wire<never>;
  /** A body without this list is the provider's to refuse. */
  readonly list?: string;
}

const ENDPOINTS: readonly Endpoint[] = [
  { path: /\/v1\/messages$/, wire: anthropicMessages as Wire<never>, list: 'messages' },
  { path: /\/chat\/completions$/, wire: openaiChat as Wire<never>, list: 'messages' },
  { path: /\/responses$/, wire: openaiResponses as Wire<never> },
  { path: /:(?:generateContent|streamGenerateContent)$/, wire: gemini as Wire<never>, list: 'contents' },
];

/**
 * Keeps every conversation that passes through within its window. Refusals for size are answered inside, by a smaller
 * body; every other failure is the SDK's to retry, and a retry finds the same session and the same bytes.
 */
export function createKeptFetch(options: KeepOptions): KeptFetch {
  const conversations = createConversations(options);
  const isWatched = options.on !== undefined || options.strict === true;
  return async (request, send) => {
    if (isInsideView()) return undefined;
    const endpoint = endpointOf(request.url, request.method);
    const given = textOf(request.body);
    const body = given === undefined || (endpoint === undefined && !isWatched) ? undefined : fieldsOf(given);
    if (endpoint === undefined || body === undefined) {
      if (isWatched) reportUnkept(options, request, endpoint, body);
      return undefined;
    }
    const { wire, list } = endpoint;
    if (list !== undefined && !Array.isArray(body[list])) return undefined;
    const kept = await conversations
      .keep({
        format: wire,
        body: body as never,
        model: asString(body.model) ?? modelIn(request.url),
        maxOutput: readOutputLimit(body, BODY_LIMITS),
        canRecall: findRecallTool(body.tools) !== undefined,
        headers: readBetas(request.headers),
        requestHeaders: Object.fromEntries(request.headers),
        signal: request.signal,
      })
      .catch(throwOwn);
    if (kept === undefined) return undefined;

    let next: Fitted<object> = kept;
    for (let broken = 0; ; ) {
      const fitting = lowerOutput(next.body, next.outputRoom, BODY_LIMITS);
      const text = fitting === body ? given! : JSON.stringify(fitting);
      const response = await send(text, headersFor(request.headers, next.headers));
      let heard: HeardResponse;
      try {
        heard = await hearResponse(response, wire, kept);
      } catch (error) {
        // Nothing of it was handed on yet, so it can be asked for again; to the SDK the request has already succeeded.
        if (request.signal?.aborted === true || ++broken > MOST_BROKEN) throw error;
        continue;
      }
      if (heard.failure?.type !== 'overflow') return restoreNamesIn(heard.response(), next.names);
      const smaller = await kept.shrinkBody(heard.failure).catch(throwOwn);
      if (smaller === undefined) return heard.response();
      await heard.discard();
      next = smaller;
    }
  };
}

/** A request that carries a conversation and is not kept: the host hears of it, or it is refused. */
function reportUnkept(
  options: KeepOptions,
  { url, method, headers, body }: Outgoing,
  endpoint: Endpoint | undefined,
  fields: Fields | undefined,
): void {
  if (method.toUpperCase() !== 'POST') return;
  const isText = textOf(body) !== undefined && !headers.has('content-encoding');
  const isUnreadable = (body ?? null) !== null && !isText;
  const passed = findPassed({ url, isKnown: endpoint !== undefined, fields, isUnreadable });
  if (passed === undefined) return;
  try {
    reportPassed(options, { ...passed, model: asString(fields?.model) ?? modelIn(url) });
  } catch (error) {
    throwOwn(error);
  }
}

const ownErrors = new WeakSet<object>();

/** True for what failed before anything was sent, as opposed to what a connection or a provider did. */
export const isOwnError = (error: unknown): error is Error => error instanceof Error && ownErrors.has(error);

function throwOwn(error: unknown): never {
  if (error instanceof Error) ownErrors.add(error);
  throw error;
}

/** Answers in a row that broke off before anybody saw them. */
const MOST_BROKEN = 2;

/** Whether the body of a request may be that of a conversation. */
export const mayConverse = (url: string, method: string, headers: Headers): boolean =>
  endpointOf(url, method) !== undefined ||
  (method.toUpperCase() === 'POST' && /[/+]json/i.test(headers.get('content-type') ?? ''));

function endpointOf(url: string, method: string): Endpoint | undefined {
  if (method.toUpperCase() !== 'POST') return undefined;
  const { pathname } = new URL(url, 'http://localhost');
  return ENDPOINTS.find(({ path }) => path.test(pathname));
}

/** Gemini names the model in the path: `models/<model>:generateContent`. */
const modelIn = (url: string): string => /\/models\/([^/:]+):/.exec(url)?.[1] ?? '';

/** JSON bodies come as text or as its bytes; anything else is not ours. */
function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array || body instanceof ArrayBuffer ? new TextDecoder().decode(body) : undefined;
}

function fieldsOf(text: string): Fields | undefined {
  const value = parseJson(text);
  return isFields(value) ? value : undefined;
}

const BETA = 'anthropic-beta';

function readBetas(headers: Headers): Readonly<Record<string, string>> {
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
