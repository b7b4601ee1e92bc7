import type { Part, Usage } from '@palimpsest/core';
import { parseJson } from '@palimpsest/core/json';
import type { Answer, AnswerDelta, StopReason } from '../answer.ts';
import { ProviderError, providerError } from '../failure/provider-error.ts';
import type { Api } from './apis.ts';
import { readEvents } from './event-stream.ts';

/** Reads an answer to its end, streamed or whole. One that breaks off says nothing, whatever it said before. */
export async function* readAnswer(response: Response, api: Api): AsyncGenerator<AnswerDelta, Answer> {
  if (!response.ok) throw await readRefusal(response, api);
  const collector = api.collectAnswer();
  let usage: Usage = {};
  for await (const event of readUnbroken(response)) {
    const deltas = collector.take(event);
    const failure = api.wire.failure(200, event, response.headers);
    // An answer cut off at the window's end is an answer; the reason for stopping tells.
    if (failure !== undefined && collector.stop !== 'window') throw providerError(failure);
    usage = { ...usage, ...api.wire.usage(event).usage };
    yield* deltas;
  }
  const { stop } = collector;
  if (stop === undefined)
    throw new ProviderError('broken-stream', 'the stream ended before the answer did', { retryable: true });
  const parts = collector.parts();
  return { parts, stop: settleStop(stop, parts), usage };
}

async function readRefusal(response: Response, { wire }: Api): Promise<ProviderError> {
  const { status, headers } = response;
  const said = await response.text();
  const failure = wire.failure(status, parseJson(said) ?? said, headers);
  return providerError(failure ?? { type: 'server', message: `status ${status}` });
}

async function* readUnbroken(response: Response): AsyncGenerator<unknown> {
  try {
    yield* readEvents(response);
  } catch (cause) {
    throw new ProviderError('broken-stream', 'the connection broke in the middle of the answer', {
      retryable: true,
      cause,
    });
  }
}

/** A model that calls a tool wants its result, whatever it says about why it stopped; one that was cut off does not. */
const settleStop = (stop: StopReason, parts: readonly Part[]): StopReason =>
  stop !== 'length' && stop !== 'window' && parts.some((part) => part.type === 'call') ? 'tool' : stop;
