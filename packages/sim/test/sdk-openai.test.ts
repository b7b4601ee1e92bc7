import OpenAI, {
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import { describe, expect, it } from 'vitest';
import { program } from '../src/index.ts';
import { prose, sim } from './talk.ts';

const MODEL = 'gpt-5.5';
const client = (url: string, apiKey = 'key') => new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
const parameters = { type: 'object', properties: { path: { type: 'string' } } };
const turns = program([
  {
    thinking: 'I should look at both.',
    text: 'Looking — ünïcödé 🙂.',
    calls: [
      { name: 'read', input: { path: 'a/b.ts' } },
      { name: 'read', input: { path: 'c.ts' } },
    ],
  },
  { text: 'Done.' },
]);

describe('the OpenAI SDK, chat completions', () => {
  const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'read', parameters } }];

  it('reads an answer with calls and takes the results back', async () => {
    const { url, requests } = await sim({ model: turns });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }];
    const first = await client(url).chat.completions.create({ model: MODEL, tools, messages, reasoning_effort: 'low' });
    const [choice] = first.choices;
    expect(choice!.finish_reason).toBe('tool_calls');
    expect(choice!.message.content).toBe('Looking — ünïcödé 🙂.');
    expect(first.usage!.prompt_tokens).toBe(requests[0]!.usage!.input);
    expect(first.usage!.completion_tokens_details!.reasoning_tokens).toBeGreaterThan(0);
    messages.push(choice!.message);
    for (const call of choice!.message.tool_calls!)
      messages.push({ role: 'tool', tool_call_id: call.id, content: 'text' });
    const second = await client(url).chat.completions.create({ model: MODEL, tools, messages });
    expect(second.choices[0]!.message.content).toBe('Done.');
  });

  it('streams to the same message, with usage in a last chunk where it was asked for', async () => {
    const { url } = await sim({ model: turns });
    const stream = client(url).chat.completions.stream({
      model: MODEL,
      tools,
      messages: [{ role: 'user', content: 'go' }],
      stream_options: { include_usage: true },
    });
    const done = await stream.finalChatCompletion();
    expect(done.choices[0]!.message.content).toBe('Looking — ünïcödé 🙂.');
    expect(done.choices[0]!.message.tool_calls).toMatchObject([
      { function: { name: 'read', arguments: '{"path":"a/b.ts"}' } },
      { function: { name: 'read', arguments: '{"path":"c.ts"}' } },
    ]);
    expect(done.usage!.total_tokens).toBeGreaterThan(10);
  });

  it('streams no usage that was not asked for', async () => {
    const { url } = await sim();
    const stream = await client(url).chat.completions.create({
      model: MODEL,
      stream: true,
      messages: [{ role: 'user', content: 'go' }],
    });
    for await (const chunk of stream) expect(chunk).not.toHaveProperty('usage');
  });
});

describe('the OpenAI SDK, responses', () => {
  const tools: OpenAI.Responses.Tool[] = [{ type: 'function', name: 'read', parameters, strict: false }];

  it('reads reasoning, text and calls, and takes them all back with the outputs', async () => {
    const { url } = await sim({ model: turns });
    const ask = { model: MODEL, tools, reasoning: { effort: 'low', summary: 'auto' } } as const;
    const first = await client(url).responses.create({ ...ask, input: 'go' });
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'function_call']);
    expect(first.output_text).toBe('Looking — ünïcödé 🙂.');
    const input = [{ role: 'user', content: 'go' }, ...first.output] as OpenAI.Responses.ResponseInput;
    for (const item of first.output)
      if (item.type === 'function_call')
        input.push({ type: 'function_call_output', call_id: item.call_id, output: 'text' });
    const second = await client(url).responses.create({ ...ask, input });
    expect(second.output_text).toBe('Done.');
    expect(second.status).toBe('completed');
  });

  it('goes on from what the server holds', async () => {
    const { url } = await sim({ model: turns });
    const first = await client(url).responses.create({ model: MODEL, tools, input: 'go' });
    const outputs = first.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'text' }]
        : [],
    );
    const ask = { model: MODEL, tools, previous_response_id: first.id };
    await expect(client(url).responses.create({ ...ask, input: outputs.slice(1) })).rejects.toThrow(
      /No tool output found for function call call_/,
    );
    expect((await client(url).responses.create({ ...ask, input: outputs })).output_text).toBe('Done.');
  });

  it('streams to the same response', async () => {
    const { url, requests } = await sim({ model: turns });
    const stream = client(url).responses.stream({
      model: MODEL,
      tools,
      reasoning: { effort: 'low', summary: 'auto' },
      input: 'go',
    });
    const seen: string[] = [];
    for await (const { type } of stream) if (type !== seen.at(-1)) seen.push(type);
    const done = await stream.finalResponse();
    expect(done.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'function_call']);
    expect(done.output_text).toBe('Looking — ünïcödé 🙂.');
    expect(done.usage!.output_tokens).toBe(requests[0]!.usage!.output);
    expect(seen.slice(0, 3)).toEqual(['response.created', 'response.in_progress', 'response.output_item.added']);
    expect(seen.slice(-3)).toEqual([
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('says inside the stream that a prompt is too long', async () => {
    const { url } = await sim({ window: 1_000 });
    const input = prose(2_000);
    await expect(client(url).responses.create({ model: MODEL, input })).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    });
    const stream = await client(url).responses.create({ model: MODEL, input, stream: true });
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toMatchObject({ status: undefined, code: 'context_length_exceeded' });
  });

  it('drops from the beginning where truncation is automatic', async () => {
    const { url, requests } = await sim({ window: 1_000 });
    const input = Array.from({ length: 8 }, (_, i) => ({ role: 'user' as const, content: prose(300, i) }));
    const done = await client(url).responses.create({ model: MODEL, input, truncation: 'auto' });
    expect(done.output_text).toBe('ok');
    expect(requests[0]!.usage!.input).toBeLessThanOrEqual(1_000);
  });
});

it('the OpenAI SDK maps refusals to its own error classes', async () => {
  const { url } = await sim({
    window: 2_000,
    faults: [
      { at: 6, kind: 'rate-limited' },
      { at: 7, kind: 'server-error' },
    ],
  });
  const ask = (over: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}, key = 'key') =>
    client(url, key).chat.completions.create({ model: MODEL, messages: [{ role: 'user', content: 'go' }], ...over });
  await expect(ask({}, 'invalid-key')).rejects.toBeInstanceOf(AuthenticationError);
  await expect(ask({ model: 'gpt-nonesuch' })).rejects.toBeInstanceOf(NotFoundError);
  await expect(ask({ messages: [] })).rejects.toBeInstanceOf(BadRequestError);
  await expect(ask({ messages: [{ role: 'user', content: prose(4_000) }] })).rejects.toMatchObject({
    code: 'context_length_exceeded',
    message: expect.stringMatching(
      /This model's maximum context length is 2000 tokens\. However, your messages resulted in \d+ tokens/,
    ),
  });
  // The room that is asked for the answer counts too.
  await expect(ask({ max_completion_tokens: 1_999 })).rejects.toMatchObject({
    code: 'context_length_exceeded',
    message: expect.stringMatching(/However, you requested \d+ tokens \(\d+ in the messages, 1999 in the completion\)/),
  });
  await expect(ask()).rejects.toBeInstanceOf(RateLimitError);
  await expect(ask()).rejects.toBeInstanceOf(InternalServerError);
  await expect(ask()).resolves.toMatchObject({ object: 'chat.completion' });
});

describe('codex’ newest models, whose tools are in an item of the input', () => {
  const spaces = (description = '') => [
    { type: 'namespace', name: 'functions', description, tools: [{ type: 'function', name: 'wait', parameters }] },
    { type: 'namespace', name: 'clock', tools: [{ type: 'function', name: 'sleep', parameters }] },
  ];
  const send = (url: string, tools: object[], rules = 'Be brief.') =>
    fetch(`${url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-6.1-sol',
        input: [
          { type: 'additional_tools', role: 'developer', tools },
          { role: 'developer', content: rules },
          { role: 'user', content: 'go' },
        ],
      }),
    });

  it('are offered those tools, and call each in its namespace', async () => {
    const { url } = await sim({
      model: ({ tools }) => ({ calls: tools.map((name) => ({ name, input: { path: 'a' } })) }),
    });
    const { output } = (await (await send(url, spaces())).json()) as { output: object[] };
    expect(output).toMatchObject([
      { type: 'function_call', name: 'wait', namespace: 'functions' },
      { type: 'function_call', name: 'sleep', namespace: 'clock' },
    ]);
  });

  it.each([
    ['tools', spaces(prose(3_000)), ''],
    ['a developer message', spaces(), prose(3_000)],
  ])('are refused in words that name the fixed part where %s alone fills the window', async (_, tools, rules) => {
    const { url } = await sim({ window: 2_000 });
    const answer = await send(url, tools, rules);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('system prompt and tools alone take');
  });
});
