import type { Usage } from '@palimpsest/core';
import { asFields, asNumber, type Fields } from '@palimpsest/core/json';
import { type Failure, readThrownFailure } from '@palimpsest/wire';

/** v2 and the results of steps state totals; v3 and v4 nest them by kind. Input without what a cache served. */
export function usageOf(given: unknown): Usage {
  const usage = asFields(given);
  const nested = asFields(usage.inputTokens);
  const details = asFields(usage.inputTokenDetails);
  const total = asNumber(nested.total) ?? asNumber(usage.inputTokens);
  const cacheRead =
    asNumber(nested.cacheRead) ?? asNumber(details.cacheReadTokens) ?? asNumber(usage.cachedInputTokens);
  const cacheWrite = asNumber(nested.cacheWrite) ?? asNumber(details.cacheWriteTokens);
  const output = asNumber(asFields(usage.outputTokens).total) ?? asNumber(usage.outputTokens);
  return {
    ...(total === undefined ? {} : { input: Math.max(0, total - (cacheRead ?? 0) - (cacheWrite ?? 0)) }),
    ...(output === undefined ? {} : { output }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

/** Both 'v3' and 'v4' bring the provider's own word along. */
export function cutAtWindow(finishReason: unknown): Failure | undefined {
  if (asFields(finishReason).raw !== 'model_context_window_exceeded') return undefined;
  return { type: 'overflow', message: 'the answer was cut off at the end of the context window' };
}

export interface Opened {
  readonly failure: Failure | undefined;
  stream(): ReadableStream<unknown>;
}

const PREAMBLE = ['stream-start', 'response-metadata', 'raw'];

/** Reads up to the first part that says something, where a refusal would stand; the rest passes as it comes. */
export async function openStream(source: ReadableStream<unknown>, finished: (finish: Fields) => void): Promise<Opened> {
  const reader = source.getReader();
  const held: unknown[] = [];
  let first: Fields = {};
  for (let ended = false; !ended; ) {
    const { done, value } = await reader.read();
    if (!done) held.push(value);
    first = asFields(value);
    ended = done || !PREAMBLE.includes(String(first.type));
  }
  return {
    failure: first.type === 'error' ? readThrownFailure(first.error) : undefined,
    stream: () =>
      new ReadableStream({
        async pull(controller) {
          const { done, value } = held.length > 0 ? { done: false, value: held.shift() } : await reader.read();
          if (done) return controller.close();
          const part = asFields(value);
          if (part.type === 'finish') finished(part);
          controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      }),
  };
}
