import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV2Middleware, LanguageModelV3Middleware } from '@ai-sdk/provider';
import type { Session } from '@palimpsest/core';
import { palimpsestMiddleware, palimpsestStep, type Specification } from '@palimpsest/sdk/ai-sdk';
import { explorer, startSim } from '@palimpsest/sim';
import { generateText, isLoopFinished, jsonSchema, streamText, type ToolSet, tool, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { aiSdkPrompt } from '../src/ai-sdk/ai-sdk-prompt.ts';

const picture = new Uint8Array([137, 80, 78, 71]);
const options = { anthropic: { note: 'kept' } };

/** Every kind of part, and every form of data, of specification v2, v3 and v4. */
const prompt: readonly unknown[] = [
  { role: 'system', content: 'Work well.', providerOptions: options },
  { role: 'system', content: 'And fast.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look.', providerOptions: options },
      { type: 'text', text: '' },
      { type: 'file', mediaType: 'image/png', data: picture, filename: 'a.png' },
      { type: 'file', mediaType: 'image/*', data: new URL('https://example.test/a.png') },
      { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: picture } },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'url', url: new URL('https://example.test/b.pdf') } },
      { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'inline' } },
      { type: 'file', mediaType: 'text/plain', data: { type: 'reference', reference: { openai: 'file-1' } } },
      { type: 'image', image: picture },
    ],
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'sig' } } },
      { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: picture } },
      { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { itemId: 'cmp_1' } } },
      { type: 'text', text: 'I call.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a' }, providerOptions: options },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'read', input: { path: 'b' } },
      { type: 'tool-call', toolCallId: 's1', toolName: 'web', input: {}, providerExecuted: true },
      { type: 'tool-result', toolCallId: 's1', toolName: 'web', output: { type: 'json', value: [1] } },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'of a' } },
      {
        type: 'tool-result',
        toolCallId: 'c2',
        toolName: 'read',
        providerOptions: options,
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'of b' },
            { type: 'media', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
            { type: 'image-url', url: 'https://example.test/c.png' },
            { type: 'file-id', fileId: 'file-2' },
            { type: 'custom' },
          ],
        },
      },
      { type: 'tool-approval-response', approvalId: 'a1', approved: true },
    ],
  },
  { role: 'system', content: 'The day is over.' },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 'c3', toolName: 'read', input: {} },
      { type: 'tool-call', toolCallId: 'c4', toolName: 'read', input: {} },
      { type: 'tool-call', toolCallId: 'c5', toolName: 'read', input: {} },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'c3', toolName: 'read', output: { type: 'error-text', value: 'gone' } },
      { type: 'tool-result', toolCallId: 'c4', toolName: 'read', output: { type: 'error-json', value: { no: 1 } } },
      { type: 'tool-result', toolCallId: 'c5', toolName: 'read', output: { type: 'execution-denied', reason: 'No.' } },
    ],
  },
  { role: 'user', content: 'As a string, as in prepareStep.' },
];
const body = { prompt, tools: [], model: 'm' };

describe("the AI SDK's prompts", () => {
  it('what is not changed is handed on as it was, the very object', () => {
    const { messages } = aiSdkPrompt.decode(body);
    expect(aiSdkPrompt.encode(messages, body).body).toBe(body);
    const shown = aiSdkPrompt.encode(messages.slice(0, -1), body).body.prompt;
    for (const [i, message] of shown.entries()) expect(message).toBe(prompt[i]);
  });

  it('system prompts in front are counted, and stay', () => {
    const { system, messages } = aiSdkPrompt.decode(body);
    expect(system).toBe('Work well.\nAnd fast.');
    expect(aiSdkPrompt.encode(messages.slice(-1), body).body.prompt).toEqual([prompt[0], prompt[1], prompt.at(-1)]);
  });

  it('a cache mark that moves from call to call leaves the ids as they are', () => {
    const marked = (at: number) =>
      [1, 2, 3].map((n) => ({
        role: 'user',
        content: [{ type: 'text', text: `${n}` }],
        ...(n === at ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } : {}),
      }));
    const ids = (at: number) => aiSdkPrompt.decode({ prompt: marked(at), model: 'm' }).messages.map(({ id }) => id);
    expect(ids(1)).toEqual(ids(3));
  });

  it('a result that was cut stays the result of its call, with its options and its pictures', () => {
    const { messages } = aiSdkPrompt.decode(body);
    const cut = messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.type !== 'result'
          ? part
          : {
              ...part,
              content: part.content.map((piece) => (piece.type === 'text' ? { ...piece, text: 'cut' } : piece)),
            },
      ),
    }));
    const shown = aiSdkPrompt.encode(cut, body).body.prompt as { content: unknown[] }[];
    const before = (prompt[4] as { content: { output: { value: unknown[] } }[] }).content;
    expect(shown[4]!.content).toEqual([
      { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'cut' } },
      {
        type: 'tool-result',
        toolCallId: 'c2',
        toolName: 'read',
        providerOptions: options,
        output: { type: 'content', value: [{ type: 'text', text: 'cut' }, ...before[1]!.output.value.slice(1)] },
      },
      before[2],
    ]);
    expect(shown[7]!.content).toMatchObject([
      { output: { type: 'error-text', value: 'cut' } },
      { output: { type: 'error-text', value: 'cut' } },
      { output: { type: 'error-text', value: 'cut' } },
    ]);
    expect(shown[3]).toBe(prompt[3]);
  });

  it('a view that begins with the model gets an opening, as providers want the user to begin', () => {
    const { messages } = aiSdkPrompt.decode(body);
    const shown = aiSdkPrompt.encode(messages.slice(1), body).body.prompt as { role: string }[];
    expect(shown.slice(2, 4).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });
});

const words = (rounds: number) =>
  Array.from({ length: rounds }, (_, n) => ({
    role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: [{ type: 'text' as const, text: `${n} of many words. `.repeat(30) }],
  }));

const tooLong = () => Object.assign(new Error('prompt is too long: 9000 tokens > 4000 maximum'), { statusCode: 400 });

/** A model of any version that refuses what is longer than it says. */
function model<P extends { prompt: unknown[] }>(usage: unknown, finishReason: unknown, refuse: 'throw' | 'part') {
  const asked: unknown[][] = [];
  const isLong = ({ prompt: given }: P): boolean => {
    asked.push(given);
    return JSON.stringify(given).length > 12_000;
  };
  return {
    asked,
    modelId: 'm',
    async doGenerate(params: P) {
      if (isLong(params)) throw tooLong();
      return { usage, finishReason };
    },
    async doStream(params: P) {
      const long = isLong(params);
      if (long && refuse === 'throw') throw tooLong();
      const parts = long
        ? [{ type: 'stream-start' }, { type: 'error', error: tooLong() }]
        : [{ type: 'stream-start' }, { type: 'text-delta', delta: 'Hi' }, { type: 'finish', usage, finishReason }];
      return { stream: ReadableStream.from(parts) as ReadableStream<unknown> };
    },
  };
}

describe.each([
  [
    'v2',
    { inputTokens: 800, cachedInputTokens: 300, outputTokens: 5 },
    'stop',
    { input: 500, cacheRead: 300, output: 5 },
  ],
  [
    'v3',
    { inputTokens: { total: 800, cacheRead: 300, cacheWrite: 100 }, outputTokens: { total: 5 } },
    { unified: 'stop' },
    { input: 400, cacheRead: 300, cacheWrite: 100, output: 5 },
  ],
  ['v4', { inputTokens: { total: 800 }, outputTokens: { total: 5 } }, { unified: 'stop' }, { input: 800, output: 5 }],
] as const)('the middleware for specification %s', (specificationVersion, usage, finishReason, expected) => {
  function kept(window = 20_000) {
    const sessions: Session[] = [];
    const middleware = palimpsestMiddleware({
      window,
      specificationVersion: specificationVersion as Specification,
      onSession: (session) => sessions.push(session),
    });
    return { sessions, middleware };
  }
  const reported = (session: Session) =>
    session.ledger().entries.flatMap((entry) => (entry.type === 'usage' ? [entry.usage] : []));

  it('answers a refusal for size inside and reads the usage', async () => {
    const { middleware, sessions } = kept();
    const bare = model(usage, finishReason, 'throw');
    expect(middleware.specificationVersion).toBe(specificationVersion);
    expect(await middleware.wrapGenerate({ params: { prompt: words(40) }, model: bare })).toEqual({
      usage,
      finishReason,
    });
    expect(bare.asked).toHaveLength(2);
    expect(reported(sessions[0]!)).toEqual([expected]);
    expect(sessions[0]!.status().budget.window).toBe(4_000);
  });

  it.each(['throw', 'part'] as const)('answers it in a stream too, where it comes as a %s', async (refuse) => {
    const { middleware, sessions } = kept();
    const bare = model(usage, finishReason, refuse);
    const { stream } = await middleware.wrapStream({ params: { prompt: words(40) }, model: bare });
    const types: unknown[] = [];
    for await (const part of stream) types.push((part as { type: string }).type);
    expect(types).toEqual(['stream-start', 'text-delta', 'finish']);
    expect(bare.asked).toHaveLength(2);
    expect(reported(sessions[0]!)).toEqual([expected]);
  });

  it('passes on what is none of its business', async () => {
    const { middleware } = kept();
    const failing = {
      ...model(usage, finishReason, 'throw'),
      doGenerate: () => Promise.reject(new Error('no such host')),
    };
    await expect(middleware.wrapGenerate({ params: { prompt: words(2) }, model: failing })).rejects.toThrow(
      'no such host',
    );
    const small = model(usage, finishReason, 'throw');
    await middleware.wrapGenerate({ params: { prompt: words(2) }, model: small });
    expect(small.asked).toEqual([words(2)]);
  });
});

it("fits the SDK's own types", () => {
  const v3: LanguageModelV3Middleware = palimpsestMiddleware({ window: 1_000 });
  const v2: LanguageModelV2Middleware = palimpsestMiddleware({ window: 1_000, specificationVersion: 'v2' });
  expect([v2.wrapGenerate, v3.wrapStream].every((one) => typeof one === 'function')).toBe(true);
});

describe.concurrent('the AI SDK at work', () => {
  const explore = async (go: (url: string, tools: ToolSet) => Promise<string>) => {
    const work = explorer({ seed: 5, turns: 40 });
    const sim = await startSim({ model: work, window: 16_000 });
    const tools: ToolSet = Object.fromEntries(
      work.tools.map(({ name, description, schema }) => [
        name,
        tool({
          description,
          inputSchema: jsonSchema<Record<string, unknown>>({ ...schema, required: [...schema.required] }),
          execute: async (given) => work.run(name, given),
        }),
      ]),
    );
    const answer = await go(sim.url, tools).finally(() => sim.close());
    expect(answer).toContain('Done: 40 steps');
    expect(sim.requests.filter(({ problem }) => problem !== undefined)).toEqual([]);
    return sim.requests;
  };
  const ask = {
    system: 'You look.',
    prompt: 'Look through it all.',
    maxOutputTokens: 1_024,
    stopWhen: isLoopFinished(),
  };

  it('streams through the Responses API', async () => {
    await explore(async (url, tools) => {
      const bare = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' })('gpt-5.5');
      const wrapped = wrapLanguageModel({ model: bare, middleware: palimpsestMiddleware({ window: 16_000 }) });
      return streamText({ model: wrapped, tools, ...ask }).text;
    });
  });

  it('stays in the window by prepareStep alone', async () => {
    const sessions: Session[] = [];
    const prepareStep = palimpsestStep({ window: 16_000, onSession: (session) => sessions.push(session) });
    await explore(async (url, tools) => {
      const bare = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' }).chat('gpt-5.5');
      return (await generateText({ model: bare, tools, prepareStep, ...ask })).text;
    });
    expect(sessions).toHaveLength(1);
    expect(sessions[0]!.status().measured).toBe(true);
    expect(sessions[0]!.receipts().length).toBeGreaterThan(0);
  });
});
