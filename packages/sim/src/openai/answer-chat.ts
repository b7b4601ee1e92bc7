import { asFields, type Fields } from '@palimpsest/core/json';
import type { Answer, Prepared } from '../api/api.ts';
import { type Sending, type SseEvent, sseEvent } from '../api/sending.ts';
import { type SimUsage, totalInput } from '../api/usage.ts';
import { identifier } from '../random.ts';
import { type SimStop, splitText } from '../script/reply.ts';

const STOPS: Readonly<Record<SimStop, string>> = {
  end: 'stop',
  calls: 'tool_calls',
  length: 'length',
  window: 'length',
  refused: 'content_filter',
};
const TEXT_CHARS = 24;

export function answerChat(answer: Answer<Prepared>): Sending {
  const { seed, n, prepared } = answer;
  const headers = { 'x-request-id': identifier('req_', seed, n, 'request'), 'openai-version': '2020-10-01' };
  return prepared.stream
    ? { status: 200, headers, body: { type: 'events', events: [...writeEvents(answer)] } }
    : { status: 200, headers, body: { type: 'json', value: completion(answer) } };
}

const makeCalls = ({ seed, n, spoken }: Answer<Prepared>): readonly Fields[] =>
  spoken.calls.map(({ name, input }, i) => ({
    id: identifier('call_', seed, n, i, 'call'),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));

const head = ({ seed, n, at, model }: Answer<Prepared>, object: string): Fields => ({
  id: identifier('chatcmpl-', seed, n, 'message'),
  object,
  created: Math.floor(at / 1000),
  model: model.name,
  service_tier: 'default',
  system_fingerprint: 'fp_sim',
});

const writeUsage = (usage: SimUsage): Fields => ({
  prompt_tokens: totalInput(usage),
  completion_tokens: usage.output,
  total_tokens: totalInput(usage) + usage.output,
  prompt_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: usage.reasoning,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});

function completion(answer: Answer<Prepared>): Fields {
  const { spoken, usage } = answer;
  const calls = makeCalls(answer);
  return {
    ...head(answer, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: spoken.text === '' && calls.length > 0 ? null : spoken.text,
          refusal: null,
          annotations: [],
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: STOPS[spoken.stop],
      },
    ],
    ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
  };
}

/** Usage comes in a chunk of its own, without choices, and only where it was asked for. */
function* writeEvents(answer: Answer<Prepared>): Generator<SseEvent, void> {
  const { spoken, usage, body } = answer;
  const wantsUsage = asFields(body.stream_options).include_usage === true;
  const base = { ...head(answer, 'chat.completion.chunk'), ...(wantsUsage ? { usage: null } : {}) };
  const chunk = (delta: Fields, finish_reason: string | null = null): SseEvent =>
    sseEvent({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason }] });

  yield chunk({ role: 'assistant', content: spoken.text === '' ? null : '', refusal: null });
  for (const content of splitText(spoken.text, TEXT_CHARS)) yield chunk({ content });
  for (const [index, call] of makeCalls(answer).entries()) {
    const made = asFields(call.function);
    yield chunk({ tool_calls: [{ index, ...call, function: { name: made.name, arguments: '' } }] });
    for (const part of splitText(String(made.arguments), TEXT_CHARS))
      yield chunk({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  yield chunk({}, STOPS[spoken.stop]);
  if (wantsUsage && usage !== undefined) yield sseEvent({ ...base, choices: [], usage: writeUsage(usage) });
  yield { data: '[DONE]' };
}
