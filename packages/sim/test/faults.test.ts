import { request } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { scheduleFaults } from '../src/faults/fault-schedule.ts';
import { FAULT_KINDS, type FaultKind, program, type SimModel } from '../src/index.ts';
import { post, prose, sim } from './talk.ts';

const paths = {
  anthropic: [
    '/v1/messages',
    { model: 'claude-sonnet-5-5', max_tokens: 500, messages: [{ role: 'user', content: 'go' }] },
  ],
  chat: ['/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'go' }] }],
  responses: ['/v1/responses', { model: 'gpt-5.5', input: 'go' }],
  gemini: ['/v1beta/models/gemini-2.5-pro:generateContent', { contents: [{ parts: [{ text: 'go' }] }] }],
} as const;
const apis = Object.entries(paths).map(([api, [path, body]]) => ({ api, path, body }));

const broken = (kind: FaultKind) => sim({ faults: [{ at: 1, kind }], model: program([{ text: prose(300) }]) });

describe.each(apis)('$api', ({ api, path, body }) => {
  it.each([
    ['rate-limited', 429],
    ['overloaded', api === 'anthropic' ? 529 : 503],
    ['server-error', 500],
  ] as const)('%s is refused with %i, once', async (kind, status) => {
    const { url, requests } = await broken(kind);
    const said = await post(url, path, body);
    expect(said.status).toBe(status);
    expect(said.json.error.message).not.toBe('');
    expect(said.headers.get('retry-after')).toBe(kind === 'rate-limited' ? '1' : null);
    expect((await post(url, path, body)).status).toBe(200);
    expect(requests.map(({ fault, usage }) => [fault, usage !== undefined])).toEqual([
      [kind, false],
      [undefined, true],
    ]);
  });

  it.each(['cut-stream', 'early-close'] as const)('%s breaks the connection itself', async (kind) => {
    const { url, requests } = await broken(kind);
    await expect(post(url, path, body)).rejects.toThrow();
    expect(requests[0]).toMatchObject({ fault: kind, delivered: false });
    expect((await post(url, path, body)).status).toBe(200);
  });

  it('missing usage is missing, and billed all the same', async () => {
    const { url, requests, bill } = await broken('missing-usage');
    const { json } = await post(url, path, body);
    expect(json.usage ?? json.usageMetadata ?? {}).toEqual(
      api === 'anthropic' ? { input_tokens: 0, output_tokens: 0 } : {},
    );
    expect(requests[0]).toMatchObject({ stated: null, delivered: true });
    expect(bill().money).toBeGreaterThan(0);
  });

  it('wrong usage is told, the true one is billed', async () => {
    const { url, requests } = await broken('wrong-usage');
    await post(url, path, body);
    const { usage, stated, money } = requests[0]!;
    expect(stated!.input).not.toBe(usage!.input);
    await post(url, path, body);
    expect(requests[1]!.money).toBeCloseTo(money, 12);
  });
});

it('a cut stream ends inside the answer: some events came, the last did not', async () => {
  const { url } = await broken('cut-stream');
  const stream = await new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 }).messages.create({
    ...paths.anthropic[1],
    messages: [{ role: 'user', content: 'go' }],
    stream: true,
  });
  const seen: string[] = [];
  const read = async () => {
    for await (const { type } of stream) seen.push(type);
  };
  await expect(read()).rejects.toThrow();
  expect(seen[0]).toBe('message_start');
  expect(seen).not.toContain('message_stop');
});

it('a slow answer waits for the clock', async () => {
  const { url, clock, requests } = await sim({
    faults: [{ at: 1, kind: 'slow-bytes' }],
    slowMs: 10_000,
    model: program([{ text: prose(300) }]),
  });
  let done = false;
  const answer = post(url, ...paths.chat).then((said) => {
    done = true;
    return said;
  });
  while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  // Time enough for an answer that does not wait.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(done).toBe(false);
  while (!done) {
    clock.advance(10_000);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect((await answer).status).toBe(200);
  expect(requests[0]!.delivered).toBe(true);
});

it('an answer that the client walks away from was not delivered, and its turn is not over', async () => {
  const { url, clock, requests } = await sim({
    faults: [{ at: 1, kind: 'slow-bytes' }],
    slowMs: 10_000,
    model: program([{ text: 'one' }, { text: 'two' }]),
  });
  const [path, body] = paths.chat;
  const leaving = new AbortController();
  const answer = fetch(url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer key' },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  leaving.abort();
  await expect(answer).rejects.toThrow();
  clock.advance(10_000);
  expect((await post(url, path, body)).json.choices[0].message.content).toBe('one');
  await expect.poll(() => requests.map(({ delivered }) => delivered)).toEqual([false, true]);
});

it.each([
  ['unread', false],
  ['as a stream, unread', true],
])('an answer of 32 MB that the client drops %s was not delivered', async (_, stream) => {
  const model: SimModel = {
    name: 'long',
    vendor: 'openai',
    window: 1_000_000,
    maxOutput: 1_000_000,
    prices: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
    minimumCachePrefix: 1_024,
  };
  const reply = 'x'.repeat(32 * 1_024 * 1_024);
  const { url, requests } = await sim({ models: [model], countText: () => 1, model: () => ({ text: reply }) });
  const [path, body] = paths.chat;
  await new Promise<void>((resolve, reject) => {
    const asking = request(url + path, { method: 'POST', headers: { authorization: 'Bearer key' } }, (answer) => {
      answer.once('close', resolve);
      setTimeout(() => answer.destroy(), 50);
    });
    asking.once('error', reject);
    asking.end(JSON.stringify({ ...body, model: model.name, stream }));
  });
  await expect.poll(() => requests.map(({ status, delivered }) => [status, delivered])).toEqual([[200, false]]);
  const whole = await post(url, path, { ...body, model: model.name, stream: false });
  expect(whole.json.choices[0].message.content).toBe(reply);
  await expect.poll(() => requests.at(-1)?.delivered).toBe(true);
});

it('a turn that was cut is said again, word for word', async () => {
  const { url, requests } = await sim({
    model: program([{ text: 'one' }, { text: 'two' }, { text: 'three' }]),
    faults: [
      { at: 2, kind: 'cut-stream' },
      { at: 3, kind: 'overloaded' },
      { at: 4, kind: 'early-close' },
    ],
  });
  const heard: unknown[] = [];
  const messages: object[] = [{ role: 'user', content: 'Begin.' }];
  for (let i = 0; i < 6; i++) {
    const said = await post(url, '/v1/chat/completions', { model: 'gpt-4o', messages }).catch(() => undefined);
    const content: unknown = said?.json?.choices?.[0].message.content;
    heard.push(content ?? said?.status);
    if (content !== undefined) messages.push({ role: 'assistant', content }, { role: 'user', content: 'Go on.' });
  }
  expect(heard).toEqual(['one', undefined, 503, undefined, 'two', 'three']);
  expect(requests).toHaveLength(6);
});

it('faults by chance come at their rate, of all kinds, and the same for the same seed', () => {
  const at = scheduleFaults({ rate: 0.03, seed: 7 });
  const again = scheduleFaults({ rate: 0.03, seed: 7 });
  const other = scheduleFaults({ rate: 0.03, seed: 8 });
  const list = Array.from({ length: 10_000 }, (_, n) => at(n));
  const hits = list.filter((kind) => kind !== undefined);
  expect(hits.length).toBeGreaterThan(220);
  expect(hits.length).toBeLessThan(380);
  expect(new Set(hits)).toEqual(new Set(FAULT_KINDS));
  expect(list).toEqual(list.map((_, n) => again(n)));
  expect(list).not.toEqual(list.map((_, n) => other(n)));
});

it('a fault never hides a bad body', async () => {
  const { url } = await sim({ faults: { rate: 1, kinds: ['server-error'] } });
  expect((await post(url, '/v1/messages', { model: 'claude-sonnet-5-5' })).status).toBe(400);
});
