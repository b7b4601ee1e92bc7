import type { Answer, Prepared } from '../api/api.ts';
import { inputOf, type SimUsage } from '../api/usage.ts';
import { type Sending, type SseEvent, sse } from '../http/transmit.ts';
import { asFields, type Fields } from '../json.ts';
import { identifier } from '../random.ts';
import { pieces, type SimStop } from '../script/reply.ts';

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
    ? { status: 200, headers, body: { type: 'events', events: [...events(answer)] } }
    : { status: 200, headers, body: { type: 'json', value: completion(answer) } };
}

const callsOf = ({ seed, n, spoken }: Answer<Prepared>): readonly Fields[] =>
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

const usageOf = (usage: SimUsage): Fields => ({
  prompt_tokens: inputOf(usage),
  completion_tokens: usage.output,
  total_tokens: inputOf(usage) + usage.output,
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
  const calls = callsOf(answer);
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
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
  };
}

/** Usage comes in a chunk of its own, without choices, and only where it was asked for. */
function* events(answer: Answer<Prepared>): Generator<SseEvent, void> {
  const { spoken, usage, body } = answer;
  const wantsUsage = asFields(body.stream_options).include_usage === true;
  const base = { ...head(answer, 'chat.completion.chunk'), ...(wantsUsage ? { usage: null } : {}) };
  const chunk = (delta: Fields, finish_reason: string | null = null): SseEvent =>
    sse({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason }] });

  yield chunk({ role: 'assistant', content: spoken.text === '' ? null : '', refusal: null });
  for (const content of pieces(spoken.text, TEXT_CHARS)) yield chunk({ content });
  for (const [index, call] of callsOf(answer).entries()) {
    const made = asFields(call.function);
    yield chunk({ tool_calls: [{ index, ...call, function: { name: made.name, arguments: '' } }] });
    for (const piece of pieces(String(made.arguments), TEXT_CHARS))
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  yield chunk({}, STOPS[spoken.stop]);
  if (wantsUsage && usage !== undefined) yield sse({ ...base, choices: [], usage: usageOf(usage) });
  yield { data: '[DONE]' };
}
