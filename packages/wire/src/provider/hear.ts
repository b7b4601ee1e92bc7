import type { SummaryAnswer, Usage } from '@palimpsest/core';
import { asFields, asList, asString, type Fields, parseJson } from '@palimpsest/core/json';
import { createParser } from 'eventsource-parser';
import { ProviderError, providerError } from '../failure/provider-error.ts';
import type { Api, ApiName } from './endpoints.ts';

type Stop = SummaryAnswer['stop'];

interface Said {
  readonly text?: string;
  readonly stop?: Stop;
  /** The model began to call a tool, whatever it says about why it stopped. */
  readonly calls?: boolean;
}

const STOPS: Readonly<Record<string, Stop>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool',
  stop: 'end',
  length: 'length',
  tool_calls: 'tool',
  function_call: 'tool',
  max_output_tokens: 'length',
  STOP: 'end',
  MAX_TOKENS: 'length',
  MALFORMED_FUNCTION_CALL: 'tool',
};

const stopOf = (reason: unknown): { readonly stop?: Stop } =>
  typeof reason === 'string' && reason !== '' ? { stop: STOPS[reason] ?? 'other' } : {};

const READERS: Readonly<Record<ApiName, (event: Fields) => Said>> = {
  anthropic({ type, delta, content_block }) {
    const { text, stop_reason } = asFields(delta);
    if (type === 'content_block_start')
      return {
        ...textOf(asFields(content_block).text),
        calls: asFields(content_block).type === 'tool_use',
      };
    return { ...textOf(text), ...stopOf(stop_reason) };
  },
  'openai-chat'({ choices }) {
    const { delta, finish_reason } = asFields(asList(choices)[0]);
    return {
      ...textOf(asFields(delta).content),
      ...stopOf(finish_reason),
      calls: asList(asFields(delta).tool_calls).length > 0,
    };
  },
  'openai-responses'({ type, delta, item, response }) {
    if (type === 'response.output_text.delta') return textOf(delta);
    if (type === 'response.output_item.added') return { calls: /call$/.test(String(asFields(item).type)) };
    if (type === 'response.completed') return { stop: 'end' };
    if (type !== 'response.incomplete') return {};
    return stopOf(asFields(asFields(response).incomplete_details).reason ?? 'incomplete');
  },
  gemini({ candidates }) {
    const { content, finishReason } = asFields(asList(candidates)[0]);
    const parts = asList(asFields(content).parts).map(asFields);
    const texts = parts.filter((part) => part.thought !== true).map((part) => asString(part.text) ?? '');
    return {
      ...textOf(texts.join('')),
      ...stopOf(finishReason),
      calls: parts.some((part) => part.functionCall !== undefined),
    };
  },
};

const textOf = (text: unknown): { readonly text?: string } => (typeof text === 'string' && text !== '' ? { text } : {});

/** Reads a streamed answer to its end. A stream that breaks off says nothing, whatever it said before. */
export async function hear(response: Response, name: ApiName, api: Api): Promise<SummaryAnswer> {
  const { status, headers } = response;
  if (!response.ok) {
    const text = await response.text();
    const failure = api.wire.failure(status, parseJson(text) ?? text, headers);
    throw providerError(failure ?? { type: 'server', message: `status ${status}` });
  }
  let text = '';
  let stop: Stop | undefined;
  let calls = false;
  let usage: Usage = {};
  const take = (event: unknown): void => {
    const failure = api.wire.failure(200, event, headers);
    // An answer cut off at the window's end is an answer; the reason for stopping tells.
    if (failure !== undefined && stopped(event) === undefined) throw providerError(failure);
    const said = READERS[name](asFields(event));
    text += said.text ?? '';
    stop = said.stop ?? stop;
    calls ||= said.calls === true;
    usage = { ...usage, ...api.wire.usage(event).usage };
  };
  const stopped = (event: unknown): Stop | undefined => READERS[name](asFields(event)).stop;
  await readEvents(response, take);
  if (stop === undefined)
    throw new ProviderError('broken-stream', 'the stream ended before the answer did', { retryable: true });
  return { text, stop: calls && stop !== 'length' ? 'tool' : stop, usage };
}

async function readEvents(response: Response, take: (event: unknown) => void): Promise<void> {
  let problem: unknown;
  const parser = createParser({
    onEvent({ data }) {
      if (problem !== undefined || data === '[DONE]') return;
      try {
        take(parseJson(data) ?? data);
      } catch (error) {
        problem = error;
      }
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
      if (problem !== undefined) break;
    }
  } catch (cause) {
    throw new ProviderError('broken-stream', 'the connection broke in the middle of the answer', {
      retryable: true,
      cause,
    });
  }
  if (problem !== undefined) throw problem;
}
