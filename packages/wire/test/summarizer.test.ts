import { inspect } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import {
  assistant,
  createSession,
  dropOldestRounds,
  type Message,
  type SummaryRequest,
  summarizeHistory,
  text,
  user,
} from '@palimpsest/core';
import { palimpsest as middleware } from '@palimpsest/sdk/anthropic';
import { palimpsest as keptFetch } from '@palimpsest/sdk/openai';
import { explorer, type SimEntry, startSim } from '@palimpsest/sim';
import { type HttpServer, sendJson, sse, startServer } from '@palimpsest/testing/http-server';
import { anthropicMessages, type Live, type ProviderError, providerSummarizer, systemClock } from '@palimpsest/wire';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';

let server: { close(): Promise<void> } | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const request = (body: string): SummaryRequest => ({
  form: 'stand-alone',
  messages: [{ id: 'ask', role: 'user', origin: 'palimpsest', parts: [text(body)] }],
  maxOutput: 500,
});
const ASK = '<conversation>\n[user] look at src/a.ts\n</conversation>\nWrite it between <summary> and </summary>.';

const APIS = [
  ['anthropic', 'claude-sonnet-5', ''],
  ['openai-chat', 'gpt-5.5', '/v1'],
  ['openai-responses', 'gpt-5.5', '/v1'],
  ['gemini', 'gemini-2.5-pro', ''],
] as const;

const summarizerAt = (url: string, api: (typeof APIS)[number][0], model = 'm') =>
  providerSummarizer({ api, endpoint: { url, key: 'k' }, model, window: 48_000 });

describe.each(APIS)('a summary over %s', (api, model, path) => {
  const at = async (options: Parameters<typeof startSim>[0]) => {
    const sim = await startSim(options);
    server = sim;
    const summarizer = summarizerAt(sim.url + path, api, model);
    return {
      sim,
      ask: (body = ASK, signal?: AbortSignal) => summarizer.summarize(request(body), signal ? { signal } : {}),
    };
  };

  it('is read from a stream, whole, with what it cost', async () => {
    const { sim, ask } = await at({});
    const answer = await ask();
    expect(answer.text).toMatch(/<summary>[\s\S]*src\/a\.ts[\s\S]*<\/summary>/);
    expect(answer.stop).toBe('end');
    const { usage } = sim.requests[0]!;
    expect(answer.usage).toMatchObject({ output: usage!.output });
    expect((answer.usage!.input ?? 0) + (answer.usage!.cacheWrite ?? 0)).toBe(usage!.input + usage!.cacheWrite);
  });

  it('tells why it stopped', async () => {
    const cut = await at({ summaries: 'cut-off' });
    expect((await cut.ask()).stop).toBe('length');
    await cut.sim.close();
    const calling = await at({ summaries: () => ({ text: 'Let me see.', calls: [{ name: 'read', input: {} }] }) });
    expect((await calling.ask()).stop).toBe('tool');
  });

  it('that is too long says so, with the window where the provider states it', async () => {
    const { ask } = await at({ window: 900 });
    const error = (await ask('word '.repeat(2_000) + ASK).catch((one: unknown) => one)) as ProviderError;
    expect(error).toMatchObject({ name: 'ProviderError', code: 'too-long', retryable: false });
    if (api !== 'openai-responses') expect(error.maximum).toBe(900);
  });

  it.each([
    ['rate-limited', 'rate-limited'],
    ['overloaded', 'overloaded|server'],
    ['server-error', 'server'],
    ['cut-stream', 'broken-stream'],
    ['early-close', 'broken-stream'],
  ] as const)('that failed by %s may be tried again', async (kind, code) => {
    const { ask } = await at({ faults: [{ at: 1, kind }], retryAfterMs: 40 });
    const error = (await ask().catch((one: unknown) => one)) as ProviderError;
    expect(error.code).toMatch(new RegExp(`^(?:${code})$`));
    expect(error.retryable).toBe(true);
    if (kind === 'rate-limited' && api !== 'gemini') expect(error.retryAfterMs).toBeGreaterThan(0);
    expect((await ask()).stop).toBe('end');
  });

  it('that nobody wants any more is aborted', async () => {
    const { ask } = await at({ faults: [{ at: 1, kind: 'slow-bytes' }], slowMs: 10_000 });
    await expect(ask(ASK, AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a summary through a vendor’s SDK', () => {
  it('goes the way that the SDK knows, and its errors are understood', async () => {
    const sim = await startSim({ faults: [{ at: 2, kind: 'overloaded' }] });
    server = sim;
    const client = new Anthropic({ baseURL: sim.url, apiKey: 'k', maxRetries: 0 });
    const summarizer = providerSummarizer({
      api: 'anthropic',
      endpoint: (body, { signal }) => client.messages.create(body as never, signal ? { signal } : {}).asResponse(),
      model: 'claude-sonnet-5',
      window: 16_000,
    });
    expect((await summarizer.summarize(request(ASK), {})).stop).toBe('end');
    await expect(summarizer.summarize(request(ASK), {})).rejects.toMatchObject({ code: 'overloaded', retryable: true });
  });
});

it('a summary that was turned away is asked for again after the time stated, and its cost is counted apart', async () => {
  const sim = await startSim({ faults: [{ at: 1, kind: 'rate-limited' }], retryAfterMs: 30 });
  server = sim;
  const session = createSession({
    window: 16_000,
    layers: [summarizeHistory(), dropOldestRounds()],
    ports: { summarizer: summarizerAt(sim.url, 'anthropic', 'claude-sonnet-5'), clock: systemClock },
  });
  for (let n = 0; n < 20; n++) {
    session.append(user(`Please look at src/file-${n}.ts and tell me what it does.`));
    session.append(assistant(`File ${n} holds a function. `.repeat(20)));
  }
  await session.compact();
  const folds = session
    .ledger()
    .entries.flatMap((entry) =>
      entry.type === 'edits' ? entry.edits.flatMap((edit) => (edit.type === 'fold' ? (edit.summary ?? []) : [])) : [],
    );
  expect(folds).toMatchObject([{ by: 'model', calls: 2 }]);
  expect(sim.requests.map(({ status }) => status)).toEqual([429, 200]);
  expect(session.ledger().entries.some((entry) => entry.type === 'usage')).toBe(false);
});

describe('a summary that shares the prefix', () => {
  const body = {
    model: 'claude-sonnet-5',
    max_tokens: 4_000,
    system: 'Work.',
    tools: [{ name: 'read', input_schema: { type: 'object' } }],
    tool_choice: { type: 'auto' },
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    metadata: { user_id: 'u' },
    messages: [
      { role: 'user', content: 'Read it.' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c1', name: 'read', input: { b: 1, a: 2 }, caller: { type: 'direct' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'text' }] },
    ],
  };
  const live: Live = {
    wire: 'anthropic-messages',
    model: 'claude-sonnet-5',
    body,
    headers: { 'anthropic-beta': 'some-beta' },
    native: [],
  };
  const answering = async (): Promise<HttpServer> => {
    const started = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(sse([{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }]));
    });
    server = started;
    return started;
  };

  it('sends the conversation again as it was, and one message behind it', async () => {
    const { url, arrived } = await answering();
    const shared = summarizerAt(url, 'anthropic', 'claude-sonnet-5').sharing(() => live);
    expect(shared.sharesPrefix).toBe(true);
    const { messages } = anthropicMessages.decode(body);
    const ask: Message = { id: 'ask', role: 'user', origin: 'palimpsest', parts: [text('Now sum up.')] };
    await shared.summarize({ form: 'same-prefix', messages: [...messages, ask], maxOutput: 600 }, {});
    const [{ body: sent, text: bytes, headers }] = arrived as [HttpServer['arrived'][0]];
    expect(headers['anthropic-beta']).toBe('some-beta');
    expect(sent).toMatchObject({
      ...body,
      max_tokens: 2_600,
      stream: true,
      messages: expect.anything(),
      system: expect.anything(),
      tools: expect.anything(),
    });
    const unmarked = bytes.replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, '');
    const before = JSON.stringify(body.messages.slice(1));
    expect(unmarked).toContain(
      `${before.slice(1, -1)},{"role":"user","content":[{"type":"text","text":"Now sum up."}]}]`,
    );
    expect(unmarked).toContain(JSON.stringify(body.tools));
  });

  it('is not tried with another model or another format', async () => {
    const { url, arrived } = await answering();
    const other = summarizerAt(url, 'anthropic', 'claude-haiku-5-5').sharing(() => live);
    expect(other.sharesPrefix).toBe(false);
    await other.summarize({ ...request(ASK), form: 'same-prefix' }, {});
    expect(arrived[0]!.body).toMatchObject({ model: 'claude-haiku-5-5' });
    expect(arrived[0]!.body).not.toHaveProperty('system');
    expect(summarizerAt(url, 'openai-chat', 'claude-sonnet-5').sharing(() => live).sharesPrefix).toBe(false);
    expect(summarizerAt(url, 'anthropic', 'claude-sonnet-5').sharing(() => undefined).sharesPrefix).toBe(false);
  });

  const promptTokens = ({ usage }: SimEntry): number => usage!.input + usage!.cacheRead + usage!.cacheWrite;
  /** Caches know prompts by blocks: of the last one a part may be missing. */
  const BLOCK = 128;

  it.each(['anthropic', 'openai-chat'] as const)(
    'has from the cache all that the conversation sent last: %s',
    async (api) => {
      const turns = 160;
      const work = explorer({ seed: 9, turns });
      const sim = await startSim({ model: work, window: 48_000 });
      server = sim;
      const model = api === 'anthropic' ? 'claude-sonnet-5' : 'gpt-5.5';
      const url = api === 'anthropic' ? sim.url : `${sim.url}/v1`;
      const keep = {
        window: 48_000,
        layers: [summarizeHistory(), dropOldestRounds()],
        ports: { summarizer: summarizerAt(url, api, model) },
      };
      await (api === 'anthropic' ? exploreAnthropic : exploreOpenAi)(url, work, model, keep);
      const calls = sim.requests.filter(({ summary }) => summary);
      const same = calls.filter(({ body: sent }) => (sent as { messages: unknown[] }).messages.length > 1);
      expect(same.length).toBeGreaterThan(1);
      for (const one of same) {
        const last = sim.requests.slice(0, sim.requests.indexOf(one)).findLast(({ summary }) => !summary)!;
        expect(one.usage!.cacheRead).toBeGreaterThan(promptTokens(last) - BLOCK);
      }
      expect(sim.requests.filter(({ problem }) => problem !== undefined)).toEqual([]);
    },
  );

  it('reports what a broken provider says in words', async () => {
    const started = await startServer((_, response) => sendJson(response, 401, { error: { message: 'bad key' } }));
    server = started;
    const asked = summarizerAt(started.url, 'openai-chat').summarize(request(ASK), {});
    await expect(asked).rejects.toMatchObject({ code: 'auth', retryable: false, message: 'bad key' });
  });
});

type Explorer = ReturnType<typeof explorer>;
type Keep = Parameters<typeof middleware>[0];

async function exploreAnthropic(baseURL: string, work: Explorer, model: string, keep: Keep): Promise<void> {
  const client = new Anthropic({ baseURL, apiKey: 'k', middleware: [middleware(keep)] });
  const tools = work.tools.map(({ name, description, schema }) => ({
    name,
    description,
    input_schema: schema as never,
  }));
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Look through it all.' }];
  for (;;) {
    const { content } = await client.messages.create({ model, max_tokens: 500, tools, messages });
    messages.push({ role: 'assistant', content });
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
    if (calls.length === 0) return;
    messages.push({
      role: 'user',
      content: calls.map(({ id, name, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: work.run(name, input as never),
      })),
    });
  }
}

async function exploreOpenAi(baseURL: string, work: Explorer, model: string, keep: Keep): Promise<void> {
  const client = new OpenAI({ baseURL, apiKey: 'k', fetch: keptFetch(keep) });
  const tools = work.tools.map(({ name, schema }) => ({
    type: 'function' as const,
    function: { name, parameters: { ...schema } },
  }));
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Look through it all.' }];
  for (;;) {
    const { message } = (await client.chat.completions.create({ model, tools, messages })).choices[0]!;
    messages.push(message);
    if (message.tool_calls === undefined) return;
    for (const call of message.tool_calls)
      if (call.type === 'function')
        messages.push({
          role: 'tool',
          tool_call_id: call.id,
          content: work.run(call.function.name, JSON.parse(call.function.arguments)),
        });
  }
}

describe('the key of an endpoint', () => {
  const KEY = 'sk-secret-4711';
  const said = async (key: string): Promise<string> => {
    const echo = await startServer((_, response) =>
      sendJson(response, 401, { error: { message: `no such key: ${KEY}` } }),
    );
    server = echo;
    const endpoint = { url: echo.url, key };
    const summarizer = providerSummarizer({ api: 'anthropic', endpoint, model: 'm', window: 1_000 });
    const error = await summarizer.summarize(request(ASK), {}).then(
      () => new Error('no error'),
      (thrown: Error) => thrown,
    );
    return inspect(error, { depth: 9 });
  };

  it('may come with the end of the line it was read from', async () => {
    expect(await said(`${KEY}\n`)).toContain('no such key');
    expect((server as HttpServer).arrived[0]!.headers['x-api-key']).toBe(KEY);
  });

  it('is not told where the provider repeats it', async () => {
    const text = await said(KEY);
    expect(text).toContain('no such key');
    expect(text).not.toContain(KEY);
  });

  it.each(['\nand', '\u2028and', '\u00e9'])(
    'that no header can hold is refused at once, and not told (%j)',
    async (end) => {
      const text = await said(KEY + end).catch((error: unknown) => inspect(error, { depth: 9 }));
      expect(text).toMatch(/bad-option[\s\S]*key|key[\s\S]*bad-option/);
      expect(text).not.toContain(KEY);
    },
  );
});
