import { assistant, call, type Message, type Part, result, results, text, user } from '@palimpsest/core';
import { systemClock } from '@palimpsest/wire';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentError } from '../src/agent-error.ts';
import { chooseModel } from '../src/models/choose-model.ts';
import type { Model, ModelEvent, ModelRequest } from '../src/models/model.ts';
import { summarizerOf } from '../src/models/summarizer.ts';
import { DIALECTS, type Dialect } from './support/dialects.ts';
import { testProvider } from './support/provider.ts';

const tools = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
];
const message = (id: string, made: { role: 'user' | 'assistant'; parts: readonly Part[] }): Message => ({
  id,
  origin: made.role === 'assistant' ? 'model' : 'human',
  role: made.role,
  parts: made.parts,
});
const asking = (...messages: readonly Message[]): ModelRequest => ({ system: 'You read files.', tools, messages });

/** Waits are noted and not waited for. */
const waits: number[] = [];
const clock = { now: systemClock.now, wait: async (ms: number) => void waits.push(ms) };
afterEach(() => void waits.splice(0));

const modelAt = (dialect: Dialect, url: string): Model =>
  chooseModel(
    { provider: dialect, baseUrl: url, model: 'm', window: 50_000 },
    { environment: { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' }, clock },
  );

async function heard(
  model: Model,
  request: ModelRequest,
): Promise<{ said: string; events: readonly ModelEvent[]; end: Extract<ModelEvent, { type: 'answer-ended' }> }> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, {})) events.push(event);
  const end = events.at(-1);
  if (end?.type !== 'answer-ended') throw new Error('no end');
  const said = events.flatMap((event) => (event.type === 'text-added' ? [event.text] : [])).join('');
  return { said, events, end };
}

describe.each(DIALECTS)('%s', (dialect) => {
  const words = 'The file says that the shop opens at nine.';

  it('streams the text in pieces and reports what was used', async () => {
    const provider = await testProvider(() => ({ text: words }));
    const { said, events, end } = await heard(modelAt(dialect, provider.url), asking(message('m1', user('When?'))));
    expect(said).toBe(words);
    expect(events.length).toBeGreaterThan(2);
    expect(end.parts).toMatchObject([{ type: 'text', text: words }]);
    expect(end).toMatchObject({ stop: 'end', usage: { input: 100, cacheRead: 7, output: 20 } });
    expect(JSON.stringify(provider.asked[0]!.headers)).toContain('k');
    expect(provider.asked[0]!.source).toContain('You read files.');
  });

  it('hands out calls, and takes them back with their results in the next request', async () => {
    const provider = await testProvider((_, number) =>
      number === 1
        ? {
            text: 'I look.',
            calls: [
              { id: 'c1', tool: 'read_file', input: { path: 'a.ts' } },
              { id: 'c2', tool: 'read_file', input: { path: 'b.ts' } },
            ],
          }
        : { text: words },
    );
    const model = modelAt(dialect, provider.url);
    const asked = message('m1', user('When?'));
    const { end } = await heard(model, asking(asked));
    const calls = end.parts.filter((part) => part.type === 'call');
    expect(end.stop).toBe('tool');
    expect(calls.map(({ tool, input }) => [tool, input])).toEqual([
      ['read_file', { path: 'a.ts' }],
      ['read_file', { path: 'b.ts' }],
    ]);
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(2);
    const answered = calls.map((one, i) => result(one.callId, `text ${i}`));
    const next = await heard(
      model,
      asking(asked, message('m2', assistant(end.parts)), message('m3', results(answered))),
    );
    expect(next.said).toBe(words);
    expect(provider.asked[1]!.source).toContain('text 1');
    // The signature that a call came with must go back on it.
    if (dialect === 'gemini') expect(provider.asked[1]!.source).toContain('c2lnbmVk');
  });

  it('waits as long as a busy provider asks for and asks again', async () => {
    const provider = await testProvider((_, number) =>
      number < 3
        ? {
            status: number === 1 ? 429 : 529,
            body: { error: { type: 'overloaded_error', message: 'slow down' } },
            headers: { 'retry-after': '2' },
          }
        : { text: words },
    );
    const { said, events } = await heard(modelAt(dialect, provider.url), asking(message('m1', user('When?'))));
    expect(said).toBe(words);
    expect(waits).toEqual([2_000, 2_000]);
    expect(events.filter((event) => event.type === 'wait-started')).toHaveLength(2);
  });

  it('does not ask again where the key is wrong, and says which one', async () => {
    const provider = await testProvider(() => ({
      status: 401,
      body: { error: { type: 'authentication_error', message: 'invalid x-api-key' } },
    }));
    await expect(heard(modelAt(dialect, provider.url), asking(message('m1', user('When?'))))).rejects.toMatchObject({
      code: 'auth',
      message: expect.stringMatching(/check \w+_API_KEY/),
    });
    expect(provider.asked).toHaveLength(1);
  });

  it('tells an overflow with its figures', async () => {
    const said = 'prompt is too long: 213462 tokens > 200000 maximum';
    const provider = await testProvider(() => ({
      status: 400,
      body: { error: { type: 'invalid_request_error', message: said } },
    }));
    const failed = heard(modelAt(dialect, provider.url), asking(message('m1', user('When?'))));
    await expect(failed).rejects.toMatchObject({ code: 'overflow', maximum: 200_000, actual: 213_462 });
  });

  it('takes nothing of an answer that broke off, and asks again', async () => {
    const provider = await testProvider((_, number) => ({ text: words, breaks: number === 1 }));
    const { end, events } = await heard(modelAt(dialect, provider.url), asking(message('m1', user('When?'))));
    expect(end.parts).toMatchObject([{ type: 'text', text: words }]);
    expect(events.some((event) => event.type === 'wait-started')).toBe(true);
  });

  it('stops listening when it is aborted', async () => {
    const never = new Promise<void>(() => {});
    const provider = await testProvider(() => ({ text: words, after: never }));
    const stop = new AbortController();
    const stream = modelAt(dialect, provider.url).stream(asking(message('m1', user('When?'))), { signal: stop.signal });
    const first = stream[Symbol.asyncIterator]().next();
    stop.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a provider', () => {
  it('that is not there is asked three times, then named', async () => {
    const { url } = await testProvider(() => ({}));
    const gone = new URL(url);
    gone.port = String(Number(gone.port) === 65_535 ? 65_534 : Number(gone.port) + 1);
    const failed = heard(modelAt('openai-chat', gone.origin), asking(message('m1', user('x'))));
    await expect(failed).rejects.toMatchObject({ code: 'unreachable', message: expect.stringContaining(gone.origin) });
    expect(waits).toHaveLength(2);
  });

  it('that asks for an hour of patience is not waited for', async () => {
    const provider = await testProvider(() => ({
      status: 429,
      body: { error: { message: 'slow' } },
      headers: { 'retry-after': '3600' },
    }));
    await expect(heard(modelAt('anthropic', provider.url), asking(message('m1', user('x'))))).rejects.toBeInstanceOf(
      AgentError,
    );
    expect(provider.asked).toHaveLength(1);
  });

  it('that writes summaries gets the live prefix with the tools in front of it, so that its cache serves', async () => {
    const provider = await testProvider(() => ({ text: 'A summary.' }));
    const chars: number[] = [];
    const live = { system: 'You read files.', tools };
    const summarizer = summarizerOf(modelAt('openai-chat', provider.url), live, (count) => chars.push(count));
    const messages = [message('m1', user('Write a summary.'))];
    const answer = await summarizer.summarize({ form: 'same-prefix', messages, maxOutput: 500 }, {});
    expect(answer).toMatchObject({ text: 'A summary.', stop: 'end' });
    expect(chars.at(-1)).toBe('A summary.'.length);
    expect(provider.asked[0]!.body.tools).toHaveLength(1);
    await summarizer.summarize({ form: 'stand-alone', messages, maxOutput: 500 }, {});
    expect(provider.asked[1]!.body.tools).toBeUndefined();
    expect(provider.asked[1]!.body.max_tokens).toBe(500);
  });

  it('that finds a summary request too long says so in the words core knows', async () => {
    const provider = await testProvider(() => ({
      status: 400,
      body: { error: { message: 'maximum context length is 4096 tokens' } },
    }));
    const summarizer = summarizerOf(modelAt('openai-chat', provider.url), { system: '', tools: [] }, () => {});
    const failed = summarizer.summarize(
      { form: 'stand-alone', messages: [message('m1', user('x'))], maxOutput: 500 },
      {},
    );
    await expect(failed).rejects.toMatchObject({ code: 'too-long' });
  });
});

describe('the choice of a model', () => {
  const world = (environment: Record<string, string>) => ({ environment, clock });

  it('is the offline model where there is no key', () => {
    expect(chooseModel({}, world({})).name).toBe('offline');
    expect(chooseModel({}, world({ OPENAI_API_KEY: ' ' })).name).toBe('offline');
  });

  it('goes by the key at hand, with the window that the vendor states', () => {
    expect(chooseModel({}, world({ ANTHROPIC_API_KEY: 'k' }))).toMatchObject({
      name: 'anthropic/claude-sonnet-5-5',
      window: 1_000_000,
    });
    expect(chooseModel({}, world({ GEMINI_API_KEY: 'k' })).name).toMatch(/^gemini\//);
    expect(chooseModel({ provider: 'openai-chat' }, world({ OPENAI_API_KEY: 'k' })).name).toMatch(/^openai-chat\/gpt/);
  });

  it('knows dated names as the model they are a snapshot of', () => {
    const model = chooseModel({ model: 'claude-opus-4-5-20251101' }, world({ ANTHROPIC_API_KEY: 'k' }));
    expect(model.window).toBe(200_000);
  });

  it.each([
    [{ model: 'gpt-9', provider: 'openai-chat' }, 'window-unknown', /--window/],
    [{ provider: 'anthropic' }, 'no-key', /ANTHROPIC_API_KEY/],
    [{ provider: 'acme' }, 'bad-option', /offline, anthropic/],
    [{ baseUrl: 'localhost:1', model: 'm', window: 9 }, 'bad-option', /http/],
    [{ baseUrl: 'http://localhost:1' }, 'bad-option', /--model/],
  ] as const)('refuses %j and says what to do', (choice, code, words) => {
    const environment: Record<string, string> =
      'model' in choice && choice.model === 'gpt-9' ? { OPENAI_API_KEY: 'k' } : {};
    expect(() => chooseModel(choice, world(environment))).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(words) }),
    );
  });

  it('leaves room in the window for the answer', () => {
    const { maxOutput } = chooseModel(
      { provider: 'openai-chat', baseUrl: 'http://x', model: 'm', window: 8_000 },
      world({}),
    );
    expect(maxOutput).toBe(2_000);
  });
});

it('parts that only another provider understands are left out', async () => {
  const provider = await testProvider(() => ({ text: 'ok' }));
  const signed = [
    { type: 'reasoning', text: 'hm', signature: 's', native: { 'anthropic-messages': {} } },
    text('x'),
    call('c', 'read_file', {}),
  ] as const;
  await heard(
    modelAt('openai-chat', provider.url),
    asking(message('m1', user('a')), message('m2', assistant(signed)), message('m3', results([result('c', 'y')]))),
  );
  expect(provider.asked[0]!.source).not.toContain('hm');
});
