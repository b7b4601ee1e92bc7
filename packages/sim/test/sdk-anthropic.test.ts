import Anthropic, {
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  OverloadedError,
  RateLimitError,
} from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { program } from '../src/index.ts';
import { prose, sim } from './talk.ts';

const tools: Anthropic.Tool[] = [
  { name: 'read', description: 'reads', input_schema: { type: 'object', properties: { path: { type: 'string' } } } },
];
const MODEL = 'claude-sonnet-5';
const client = (url: string, maxRetries = 0) => new Anthropic({ baseURL: url, apiKey: 'key', maxRetries });
const turns = program([
  { thinking: 'I should look.', text: 'Looking — ünïcödé 🙂.', calls: [{ name: 'read', input: { path: 'a/b.ts' } }] },
  { text: 'Done.' },
]);

describe('the Anthropic SDK', () => {
  it('reads an answer with thinking, text and a call, and its usage', async () => {
    const { url, requests } = await sim({ model: turns });
    const message = await client(url).messages.create({
      model: MODEL,
      max_tokens: 2_000,
      thinking: { type: 'adaptive' },
      tools,
      messages: [{ role: 'user', content: 'go' }],
    });
    expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use']);
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content[2]).toMatchObject({ name: 'read', input: { path: 'a/b.ts' } });
    expect(message.usage.input_tokens).toBe(requests[0]!.usage!.input);
    expect(message.usage.output_tokens).toBe(requests[0]!.usage!.output);
  });

  it('ends a stream with the fields that the SDK knows there, and no others', async () => {
    const { url } = await sim({ model: turns });
    const usage: Readonly<Record<keyof Anthropic.MessageDeltaUsage, true>> = {
      cache_creation_input_tokens: true,
      cache_read_input_tokens: true,
      input_tokens: true,
      output_tokens: true,
      output_tokens_details: true,
      server_tool_use: true,
    };
    const ask = { model: MODEL, max_tokens: 2_000, tools, messages: [{ role: 'user', content: 'go' }] } as const;
    for await (const event of client(url).messages.stream({ ...ask, messages: [...ask.messages] }))
      if (event.type === 'message_delta') expect(Object.keys(event.usage).sort()).toEqual(Object.keys(usage));
    expect.assertions(1);
  });

  it('streams to the same message as it reads whole, and takes the results back', async () => {
    const { url, requests } = await sim({ model: turns });
    const ask = { model: MODEL, max_tokens: 2_000, thinking: { type: 'adaptive' }, tools } as const;
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'go' }];
    const first = await client(url)
      .messages.stream({ ...ask, messages })
      .finalMessage();
    expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use']);
    expect(first.content[1]).toMatchObject({ text: 'Looking — ünïcödé 🙂.' });
    const call = first.content[2] as Anthropic.ToolUseBlock;
    expect(call.input).toEqual({ path: 'a/b.ts' });
    messages.push(
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'text of the file' }] },
    );
    const second = await client(url)
      .messages.stream({ ...ask, messages })
      .finalMessage();
    expect(second.content).toMatchObject([{ type: 'text', text: 'Done.' }]);
    expect(second.stop_reason).toBe('end_turn');
    expect(requests.map(({ status, delivered }) => [status, delivered])).toEqual([
      [200, true],
      [200, true],
    ]);
  });

  it('gets the events in the order of the documentation', async () => {
    const { url } = await sim({ model: turns });
    const stream = await client(url).messages.create({
      model: MODEL,
      max_tokens: 2_000,
      tools,
      stream: true,
      messages: [{ role: 'user', content: 'go' }],
    });
    const seen: string[] = [];
    for await (const { type } of stream) if (type !== seen.at(-1)) seen.push(type);
    expect(seen).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('maps refusals to its own error classes', async () => {
    const { url } = await sim({
      window: 2_000,
      faults: [
        { at: 5, kind: 'rate-limited' },
        { at: 6, kind: 'overloaded' },
      ],
    });
    const ask = (over: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}, apiKey = 'key') =>
      new Anthropic({ baseURL: url, apiKey, maxRetries: 0 }).messages.create({
        model: MODEL,
        max_tokens: 100,
        messages: [{ role: 'user', content: 'go' }],
        ...over,
      });
    await expect(ask({}, 'invalid')).rejects.toBeInstanceOf(AuthenticationError);
    await expect(ask({ model: 'claude-nonesuch' })).rejects.toBeInstanceOf(NotFoundError);
    await expect(ask({ messages: [] })).rejects.toBeInstanceOf(BadRequestError);
    await expect(ask({ messages: [{ role: 'user', content: prose(4_000) }] })).rejects.toThrow(
      /prompt is too long: \d+ tokens > 2000 maximum/,
    );
    await expect(ask()).rejects.toBeInstanceOf(RateLimitError);
    await expect(ask()).rejects.toBeInstanceOf(OverloadedError);
    await expect(ask()).resolves.toMatchObject({ stop_reason: 'end_turn' });
  });

  it('retries by itself what is worth it, as the simulator tells it', async () => {
    const { url, requests } = await sim({
      faults: [
        { at: 1, kind: 'rate-limited' },
        { at: 2, kind: 'early-close' },
      ],
    });
    const message = await client(url, 2).messages.create({
      model: MODEL,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'go' }],
    });
    expect(message.content).toMatchObject([{ text: 'ok' }]);
    expect(requests.map(({ status, fault, delivered }) => [status, fault, delivered])).toEqual([
      [429, 'rate-limited', true],
      [200, 'early-close', false],
      [200, undefined, true],
    ]);
  });

  it('counts tokens like the answer does', async () => {
    const { url } = await sim();
    const ask = { model: MODEL, tools, system: prose(300), messages: [{ role: 'user' as const, content: prose(500) }] };
    const { input_tokens } = await client(url).messages.countTokens(ask);
    const { usage } = await client(url).messages.create({ ...ask, max_tokens: 10 });
    expect(usage.input_tokens).toBe(input_tokens);
    expect(input_tokens).toBeGreaterThan(700);
  });
});
