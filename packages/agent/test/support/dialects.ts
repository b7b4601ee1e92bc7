import type { Reply } from './provider.ts';

export type Dialect = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';

export const DIALECTS: readonly Dialect[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'];

export function dialectOf(url: string): Dialect {
  if (url.endsWith('/v1/messages')) return 'anthropic';
  if (url.endsWith('/chat/completions')) return 'openai-chat';
  return url.endsWith('/responses') ? 'openai-responses' : 'gemini';
}

const event = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Text in pieces, so that a reader has to put it together. */
const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,12}/g) ?? [];

/** The events with which a vendor streams an answer. */
export function streamIn(dialect: Dialect, reply: Reply): readonly string[] {
  return { anthropic, 'openai-chat': chat, 'openai-responses': responses, gemini }[dialect](reply);
}

function anthropic({ text = '', calls = [], inputTokens = 100 }: Reply): readonly string[] {
  const named = (data: { type: string } & Record<string, unknown>): string => event(data, data.type);
  const blocks = [
    ...(text === ''
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
          },
        ]),
    ...calls.map(({ id, tool, input }) => ({
      start: { type: 'tool_use', id, name: tool, input: {} },
      deltas: pieces(JSON.stringify(input)).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    })),
  ];
  return [
    named({
      type: 'message_start',
      message: {
        role: 'assistant',
        content: [],
        usage: { input_tokens: inputTokens, cache_read_input_tokens: 7, output_tokens: 1 },
      },
    }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      named({ type: 'content_block_start', index, content_block: start }),
      ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
      named({ type: 'content_block_stop', index }),
    ]),
    named({
      type: 'message_delta',
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' },
      usage: { output_tokens: 20 },
    }),
    named({ type: 'message_stop' }),
  ];
}

function chat({ text = '', calls = [], inputTokens = 100 }: Reply): readonly string[] {
  const delta = (fields: unknown, finish: string | null = null): string =>
    event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
  return [
    delta({ role: 'assistant', content: '' }),
    ...pieces(text).map((piece) => delta({ content: piece })),
    ...calls.flatMap(({ id, tool, input }, index) => [
      delta({ tool_calls: [{ index, id, type: 'function', function: { name: tool, arguments: '' } }] }),
      ...pieces(JSON.stringify(input)).map((piece) =>
        delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    delta({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    event({
      choices: [],
      usage: { prompt_tokens: inputTokens + 7, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 7 } },
    }),
    'data: [DONE]\n\n',
  ];
}

function responses({ text = '', calls = [], inputTokens = 100 }: Reply): readonly string[] {
  const items = [
    ...(text === ''
      ? []
      : [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ]),
    ...calls.map(({ id, tool, input }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name: tool,
      arguments: JSON.stringify(input),
      status: 'completed',
    })),
  ];
  const usage = { input_tokens: inputTokens + 7, output_tokens: 20, input_tokens_details: { cached_tokens: 7 } };
  return [
    event({ type: 'response.created', response: { status: 'in_progress' } }),
    ...pieces(text).map((piece) => event({ type: 'response.output_text.delta', output_index: 0, delta: piece })),
    ...items.map((item, index) => event({ type: 'response.output_item.done', output_index: index, item })),
    event({ type: 'response.completed', response: { status: 'completed', output: items, usage } }),
  ];
}

function gemini({ text = '', calls = [], inputTokens = 100 }: Reply): readonly string[] {
  const chunk = (parts: unknown, more: object = {}): string =>
    event({ candidates: [{ content: { role: 'model', parts }, ...more }] });
  return [
    ...pieces(text).map((piece) => chunk([{ text: piece }])),
    ...calls.map(({ tool, input }, i) =>
      chunk([{ functionCall: { name: tool, args: input }, ...(i === 0 ? { thoughtSignature: 'c2lnbmVk' } : {}) }]),
    ),
    event({
      candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: inputTokens + 7, cachedContentTokenCount: 7, candidatesTokenCount: 20 },
    }),
  ];
}
