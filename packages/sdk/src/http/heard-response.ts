import { parseJson } from '@palimpsest/core/json';
import type { Failure, Wire } from '@palimpsest/wire';
import type { Kept } from '../conversations/keep-options.ts';
import { watchAnswer } from './watch-answer.ts';

/** A response that was looked at, and can still be read. */
export interface HeardResponse {
  readonly failure: Failure | undefined;
  response(): Response;
  /** For a response that nobody will read. */
  discard(): Promise<void>;
}

export async function hearResponse(response: Response, wire: Wire<never>, kept: Kept<never>): Promise<HeardResponse> {
  if (response.ok && /^text\/event-stream/i.test(response.headers.get('content-type') ?? '') && response.body !== null)
    return hearStream(response, response.body, wire, kept);
  // A stream of another kind is left alone: to read it whole would hold it back.
  const isJson = /[/+]json/i.test(response.headers.get('content-type') ?? '');
  if (response.ok && (!isJson || /:streamGenerateContent$/.test(new URL(response.url || 'http://localhost').pathname)))
    return { failure: undefined, response: () => response, discard: async () => {} };
  const bytes = await response.arrayBuffer();
  const text = new TextDecoder().decode(bytes);
  const value = parseJson(text) ?? text;
  const failure = wire.failure(response.status, value, response.headers);
  if (failure === undefined) kept.noteAnswer(wire.usage(value));
  return { failure, response: () => remakeResponse(response, bytes), discard: async () => {} };
}

/** Waits for the first event that says something, then hands the stream on chunk by chunk as it comes. */
async function hearStream(
  response: Response,
  body: ReadableStream<Uint8Array>,
  wire: Wire<never>,
  kept: Kept<never>,
): Promise<HeardResponse> {
  const watch = watchAnswer(wire, kept);
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
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      async pull(controller) {
        const first = held.shift();
        if (first !== undefined) return controller.enqueue(first);
        const { done, value } = ended ? { done: true, value: undefined } : await reader.read();
        if (done || value === undefined) {
          watch.end();
          return controller.close();
        }
        watch.read(value);
        controller.enqueue(value);
      },
      async cancel(reason) {
        watch.end();
        await reader.cancel(reason);
      },
    });
  return { failure: watch.failure, response: () => remakeResponse(response, stream()), discard: () => reader.cancel() };
}

/** The same response with a body that can still be read. */
function remakeResponse(response: Response, body: ArrayBuffer | ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers, url } = response;
  const isEmpty = status === 204 || status === 304 || (body instanceof ArrayBuffer && body.byteLength === 0);
  const made = new Response(isEmpty ? null : body, { status, statusText, headers });
  return Object.defineProperty(made, 'url', { value: url });
}
