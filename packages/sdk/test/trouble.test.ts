import { gzipSync } from 'node:zlib';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { dropOldestRounds, type Session, summarizeHistory } from '@palimpsest/core';
import { palimpsestMiddleware } from '@palimpsest/sdk/ai-sdk';
import { type KeepOptions, palimpsest as middleware } from '@palimpsest/sdk/anthropic';
import { palimpsest as keptFetch } from '@palimpsest/sdk/openai';
import { type Sim, type SimOptions, startSim } from '@palimpsest/sim';
import { sendJson, sse, startServer } from '@palimpsest/testing/http-server';
import { streamText, wrapLanguageModel } from 'ai';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';

let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open) await one.close();
  open = [];
});

async function at(options: SimOptions): Promise<Sim> {
  const sim = await startSim(options);
  open.push(sim);
  return sim;
}

async function serving(...given: Parameters<typeof startServer>): ReturnType<typeof startServer> {
  const server = await startServer(...given);
  open.push(server);
  return server;
}

const talk = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `word${i} `.repeat(120),
  }));

/** One question put through each SDK. */
const SDKS = {
  anthropic: (url: string, options: KeepOptions) => {
    const client = new Anthropic({ baseURL: url, apiKey: 'k', middleware: [middleware(options)] });
    return (count: number, signal?: AbortSignal): Promise<unknown> =>
      client.messages.create({ model: 'claude-sonnet-5', max_tokens: 50, messages: talk(count) }, { signal });
  },
  openai: (url: string, options: KeepOptions) => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'k', fetch: keptFetch(options) });
    return (count: number, signal?: AbortSignal): Promise<unknown> =>
      client.chat.completions.create({ model: 'gpt-5.5', messages: talk(count) }, { signal });
  },
};

const told = (sim: Sim) => sim.requests.map(({ fault, problem }) => fault ?? problem?.rule ?? 'answered');

describe.each(Object.entries(SDKS))('the %s SDK', (_, sdk) => {
  it('gets an answer to each of several requests at once, though all were too long', async () => {
    const sim = await at({ window: 3_000 });
    const ask = sdk(sim.url, { window: 100_000 });
    await Promise.all([ask(41), ask(41), ask(41)]);
    // One that comes later may know of the window by then.
    const [refused, others] = [
      told(sim).filter((one) => one === 'too-long'),
      told(sim).filter((one) => one !== 'too-long'),
    ];
    expect(others).toEqual(Array(3).fill('answered'));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(3);
  });

  it('gets an answer where the provider is overloaded and then finds the request too long', async () => {
    const busy = await at({ window: 100_000, faults: [{ at: 1, kind: 'overloaded' }] });
    const small = await at({ window: 3_000, faults: [{ at: 2, kind: 'overloaded' }] });
    await sdk(busy.url, { window: 100_000 })(41);
    await sdk(small.url, { window: 100_000 })(41);
    expect(told(busy)).toEqual(['overloaded', 'answered']);
    // The SDK asks again from the beginning; by then the window is known.
    expect(told(small)).toEqual(['too-long', 'overloaded', 'answered']);
  });

  it('tells of an abort while a summary is written, sends nothing, and can be asked again', async () => {
    const sim = await at({ window: 100_000 });
    const stop = new AbortController();
    let asked = 0;
    const ask = sdk(sim.url, {
      window: 3_000,
      layers: [summarizeHistory(), dropOldestRounds()],
      drafts: false,
      ports: {
        summarizer: {
          window: 100_000,
          summarize: (_request, { signal }) =>
            new Promise((_resolve, reject) => {
              if (++asked > 1) return reject(new Error('not now'));
              signal?.addEventListener('abort', () => reject(signal.reason));
              stop.abort();
            }),
        },
      },
    });
    await expect(ask(41, stop.signal)).rejects.toThrow('Request was aborted.');
    expect(sim.requests).toHaveLength(0);
    await ask(41);
    expect(told(sim)).toEqual(['answered']);
  });

  it.each([1, 20, 300])('gets an answer with a window of %i tokens', async (window) => {
    const sim = await at({ window: 100_000 });
    await sdk(sim.url, { window })(11);
    expect(told(sim)).toEqual(['answered']);
  });
});

describe('a provider that does not state its window', () => {
  it('is asked with ever smaller requests, three times at most', async () => {
    for (const [window, rules] of [
      [3_000, ['too-long', 'too-long', 'answered']],
      [20, Array(4).fill('too-long')],
    ] as const) {
      const sim = await at({ window });
      const client = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'k', fetch: keptFetch({ window: 100_000 }) });
      const events = await client.responses.create({ model: 'gpt-5.5', input: talk(41), stream: true });
      const read = async (): Promise<string | undefined> => {
        let last: string | undefined;
        for await (const { type } of events) last = type;
        return last;
      };
      if (window === 20) await expect(read()).rejects.toThrow('exceeds the context window');
      else expect(await read()).toBe('response.completed');
      expect(told(sim)).toEqual(rules);
    }
  });

  it('and takes what is too long without a word shows it by its usage: the next request is smaller', async () => {
    let prompt_tokens = 0;
    const server = await serving((_, response) => sendJson(response, 200, { choices: [], usage: { prompt_tokens } }));
    const client = (window: number) => {
      const sessions: Session[] = [];
      const fetch = keptFetch({ window, onSession: (session) => sessions.push(session) });
      const body = JSON.stringify({ model: 'm', messages: talk(41) });
      return { sessions, post: () => fetch(`${server.url}/chat/completions`, { method: 'POST', body }) };
    };
    const roomy = client(100_000);
    await roomy.post();
    const estimate = roomy.sessions[0]!.status().tokens;
    const { post } = client(Math.round(estimate * 1.35));
    for (const share of [10, 1.45, 1]) {
      prompt_tokens = Math.round(estimate * share);
      await post();
    }
    // Ten times what it can be is no size but a mistake.
    const [, first, second, third] = server.arrived.map(({ text }) => text.length);
    expect(second).toBe(first);
    expect(third).toBeLessThan(first!);
  });
});

it.each([false, true])('what Anthropic cleared by itself reaches the ledger (streamed: %s)', async (streamed) => {
  const sim = await at({});
  const sessions: Session[] = [];
  const onSession = (session: Session) => sessions.push(session);
  const client = new Anthropic({
    baseURL: sim.url,
    apiKey: 'k',
    middleware: [middleware({ window: 100_000, onSession })],
  });
  const messages: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: 'Go.' }];
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `line of ${id} `.repeat(300) }] },
    );
  const edits = [{ type: 'clear_tool_uses_20250919', trigger: { type: 'input_tokens', value: 1_000 } }] as const;
  const params = {
    model: 'claude-sonnet-5',
    max_tokens: 50,
    messages,
    betas: ['context-management-2025-06-27'],
    tools: [{ name: 'read', input_schema: { type: 'object' as const } }],
    context_management: { edits: [...edits] },
  };
  const answer = await (streamed
    ? client.beta.messages.stream(params).finalMessage()
    : client.beta.messages.create(params));
  const cleared = answer.context_management!.applied_edits[0]!.cleared_input_tokens;
  expect(cleared).toBeGreaterThan(1_000);
  const entry = sessions[0]!.ledger().entries.find(({ type }) => type === 'usage');
  expect(entry).toMatchObject({ usage: { cleared } });
});

it.each([
  ['/v1/chat/completions', { model: 'm' }],
  ['/v1/chat/completions', { model: 'm', messages: 'Hi.' }],
  ['/v1/messages', { model: 'm', messages: null }],
  ['/v1beta/models/m:generateContent', { contents: 'Hi.' }],
  ['/v1/responses', { model: 'm', input: 5 }],
])("what cannot be read gets the provider's own answer (%s, %j)", async (path, body) => {
  const refusal = { error: { message: 'That is no request.' } };
  const server = await serving((_, response) => sendJson(response, 422, refusal));
  const text = JSON.stringify(body);
  const response = await keptFetch({ window: 500 })(server.url + path, { method: 'POST', body: text });
  expect([response.status, await response.json()]).toEqual([422, refusal]);
  expect(server.arrived.map((one) => one.text)).toEqual([text]);
});

it('a compressed body goes as it is', async () => {
  const server = await serving((_, response) => sendJson(response, 200, {}));
  const body = gzipSync(JSON.stringify({ model: 'm', messages: talk(41) }));
  const headers = { 'content-encoding': 'gzip' };
  await keptFetch({ window: 500 })(`${server.url}/v1/messages`, { method: 'POST', body, headers });
  expect(server.arrived[0]!.headers['content-length']).toBe(String(body.length));
});

it('a stream of the AI SDK that was cut off at the end of the window makes the next request smaller', async () => {
  const server = await serving((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      usage: { input_tokens: 9 },
    };
    const delta = { stop_reason: 'model_context_window_exceeded', stop_sequence: null };
    response.end(
      sse([
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'So' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta, usage: { output_tokens: 1 } },
        { type: 'message_stop' },
      ]),
    );
  });
  const model = wrapLanguageModel({
    model: createAnthropic({ baseURL: `${server.url}/v1`, apiKey: 'k' })('claude-sonnet-5'),
    middleware: palimpsestMiddleware({ window: 100_000 }),
  });
  for (let n = 0; n < 2; n++) await streamText({ model, messages: talk(41), maxOutputTokens: 50 }).text;
  expect(server.arrived[1]!.text.length).toBeLessThan(server.arrived[0]!.text.length);
});
