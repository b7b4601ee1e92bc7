import { type AnswerEvent, type ApiName, createProviderClient, type Send } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';

/** Sends nothing: hands out what the provider is to answer, one after the other. */
function replay(...answers: readonly (Response | Error)[]): Send {
  const left = [...answers];
  return async () => {
    const next = left.shift() ?? new Error('asked too often');
    if (next instanceof Error) throw next;
    return next;
  };
}

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const sse = (...events: readonly unknown[]): Response =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
const clientOf = (api: ApiName, ...answers: readonly (Response | Error)[]) =>
  createProviderClient({ api, endpoint: replay(...answers), model: 'm' });

const WHOLE: readonly (readonly [ApiName, unknown])[] = [
  [
    'anthropic',
    {
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 9, output_tokens: 3 },
    },
  ],
  [
    'openai-chat',
    {
      choices: [
        {
          message: {
            role: 'assistant',
            content: 'I look.',
            reasoning_content: 'hm',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 3 },
    },
  ],
  [
    'openai-responses',
    {
      object: 'response',
      status: 'completed',
      output: [
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 's' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
      ],
      usage: { input_tokens: 9, output_tokens: 3 },
    },
  ],
  [
    'gemini',
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'hm', thought: true },
              { text: 'I look.' },
              { functionCall: { id: 'c1', name: 'read', args: { path: 'a' } } },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3 },
    },
  ],
];

describe.each(WHOLE)('%s', (api, body) => {
  it('an answer that comes whole is read like a streamed one', async () => {
    const events: AnswerEvent[] = [];
    for await (const event of clientOf(api, json(body)).stream({})) events.push(event);
    expect(events.slice(0, -1)).toEqual([
      { type: 'reasoning-added', text: 'hm' },
      { type: 'text-added', text: 'I look.' },
    ]);
    expect(events.at(-1)).toMatchObject({
      type: 'answer-ended',
      parts: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'I look.' },
        { type: 'call', callId: 'c1', tool: 'read', input: { path: 'a' } },
      ],
      stop: 'tool',
      usage: { input: 9, output: 3 },
    });
  });

  it('a whole answer that is an error is one', async () => {
    const asked = clientOf(api, json({ error: { type: 'overloaded_error', message: 'busy' } })).ask({});
    await expect(asked).rejects.toMatchObject({ name: 'ProviderError', code: 'overloaded', retryable: true });
  });
});

describe('an answer', () => {
  it.each([
    ['anthropic', { type: 'message_delta', delta: { stop_reason: 'model_context_window_exceeded' } }],
    ['openai-chat', { choices: [{ delta: {}, finish_reason: 'model_context_window_exceeded' }] }],
  ] as const)('that was cut off at the end of the window says so: %s', async (api, event) => {
    expect((await clientOf(api, sse(event)).ask({})).stop).toBe('window');
  });

  it('that was cut off in the middle of a call asks for no result', async () => {
    const call = { index: 0, id: 'c1', function: { name: 'read', arguments: '{"pa' } };
    const cut = sse({ choices: [{ delta: { tool_calls: [call] }, finish_reason: 'length' }] });
    expect((await clientOf('openai-chat', cut).ask({})).stop).toBe('length');
  });

  it('of the Responses API that names no items has said its words all the same', async () => {
    const events = [
      { type: 'response.output_text.delta', delta: 'yes' },
      { type: 'response.completed', response: {} },
    ];
    expect((await clientOf('openai-responses', sse(...events)).ask({})).parts).toMatchObject([{ text: 'yes' }]);
  });

  it('whose last event lacks the empty line behind it is whole', async () => {
    const text = `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: 'yes' }] }, finishReason: 'STOP' }] })}`;
    expect((await clientOf('gemini', new Response(text)).ask({})).parts).toMatchObject([{ text: 'yes' }]);
  });
});

describe('a provider that fails', () => {
  const end = { choices: [{ delta: { content: 'yes' }, finish_reason: 'stop' }] };
  const refused = Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  });
  const closed = Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });
  const waits: number[] = [];
  const clock = { now: () => 0, wait: async (ms: number) => void waits.push(ms) };
  const askWith = async (...answers: readonly (Response | Error)[]) => {
    waits.length = 0;
    return clientOf('openai-chat', ...answers).ask({}, { clock });
  };

  it.each([
    ['nobody answers', refused, 'unreachable', 'connect ECONNREFUSED'],
    ['somebody hangs up', closed, 'broken-stream', 'other side closed'],
  ] as const)('is named by what happened: %s', async (_, error, code, message) => {
    await expect(clientOf('openai-chat', error).ask({})).rejects.toMatchObject({ code, message, retryable: true });
  });

  it('is asked again with a clock, ever later', async () => {
    const { parts } = await askWith(json({}, 500), json({}, 500), closed, sse(end));
    expect(parts).toMatchObject([{ text: 'yes' }]);
    expect(waits).toEqual([500, 1_000, 2_000]);
  });

  it('is given up after five tries, or three where nobody answers', async () => {
    await expect(askWith(...Array.from({ length: 9 }, () => json({}, 500)))).rejects.toMatchObject({ code: 'server' });
    expect(waits).toHaveLength(4);
    await expect(askWith(refused, refused, refused, refused)).rejects.toMatchObject({ code: 'unreachable' });
    expect(waits).toHaveLength(2);
  });

  it('is not asked again where that is of no use', async () => {
    await expect(askWith(json({ error: { message: 'no' } }, 400), sse(end))).rejects.toMatchObject({ code: 'invalid' });
    expect(waits).toEqual([]);
  });

  it('and repeats the key is quoted without it, by the name that the host gave', async () => {
    const endpoint = {
      url: 'http://localhost',
      key: 'sk-secret-4711',
      keyName: 'MY_KEY',
      fetch: async () => json({ error: { message: 'no such key: sk-secret-4711' } }, 401),
    };
    const asked = createProviderClient({ api: 'gemini', endpoint, model: 'm' }).ask({});
    await expect(asked).rejects.toMatchObject({ code: 'auth', message: 'no such key: [MY_KEY]' });
  });
});

it('who stops listening hangs up', async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"a"}}]}\n\n')),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const event of clientOf('openai-chat', new Response(body)).stream({})) {
    expect(event).toEqual({ type: 'text-added', text: 'a' });
    break;
  }
  expect(cancelled).toBe(true);
});
