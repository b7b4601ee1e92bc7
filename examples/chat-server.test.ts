import { startSim } from '@palimpsest/sim';
import { memoryStore } from '@palimpsest/store';
import { type HttpServer, sendJson, startServer } from '@palimpsest/testing/http-server';
import { afterEach, describe, expect, it } from 'vitest';
import { type Account, startChatServer } from './server/chat-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(provider: string) {
  const accounts = new Map<string, Account>();
  const server = await startChatServer({
    provider,
    window: 4_000,
    store: memoryStore(),
    live: 10,
    accounts: {
      read: async (user) => accounts.get(user),
      append: async (user, turns, session) => {
        const before = accounts.get(user)?.turns ?? [];
        accounts.set(user, { turns: [...before, ...turns], ...(session === undefined ? {} : { session }) });
      },
    },
  });
  closing.push(server.stop);
  const chat = (body: string, user = 'ann') =>
    fetch(`${server.url}/chat`, { method: 'POST', headers: { 'x-user': user }, body });
  return { accounts, chat, metrics: () => fetch(`${server.url}/metrics`) };
}

const metricIn = (text: string, name: string): number =>
  Number(new RegExp(`^palimpsest_${name} (\\d+)$`, 'm').exec(text)?.[1]);

describe('the server of the examples', () => {
  it("hands a provider's 429 on with its status, its words and when to try again", async () => {
    const refusal = { type: 'error', error: { type: 'rate_limit_error', message: 'Too many requests.' } };
    const provider: HttpServer = await startServer((_, response, n) => {
      if (n > 1) return sendJson(response, 200, { content: [{ type: 'text', text: 'Hello.' }], usage: {} });
      response.setHeader('retry-after', '7');
      sendJson(response, 429, refusal);
    });
    closing.push(provider.close);
    const { accounts, chat } = await open(provider.url);
    const answer = await chat('Hi.');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(await answer.json()).toEqual(refusal);
    expect(accounts.get('ann')).toBeUndefined();
    expect(await (await chat('Hi again.')).text()).toBe('Hello.');
    expect(accounts.get('ann')!.turns.map(({ content }) => content)).toEqual(['Hi again.', 'Hello.']);
  });

  it('loses no turn where a user sends several requests at once, and forks no conversation', async () => {
    const sim = await startSim({ model: ({ turn }) => ({ text: `Answer ${turn}.` }) });
    closing.push(sim.close);
    const { accounts, chat, metrics } = await open(sim.url);
    const questions = ['one', 'two', 'three', 'four'];
    await chat('zero');
    await Promise.all(questions.map((question) => chat(question)));
    const { turns } = accounts.get('ann')!;
    expect(turns.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(
      expect.arrayContaining(questions),
    );
    expect(turns.map(({ role }) => role)).toEqual(Array.from({ length: 10 }, (_, i) => (i % 2 ? 'assistant' : 'user')));
    expect(metricIn(await (await metrics()).text(), 'forks_total')).toBe(0);
  });

  it('tells its figures in the form that Prometheus reads', async () => {
    const sim = await startSim();
    closing.push(sim.close);
    const { chat, metrics } = await open(sim.url);
    await chat('Hi.');
    const response = await metrics();
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/\n$/);
    const samples = text
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    for (const line of samples) {
      const [, name] = /^(palimpsest_[a-z_]+) \d+$/.exec(line) ?? [];
      expect(text).toMatch(new RegExp(`^# HELP ${name} .+\\n# TYPE ${name} (counter|gauge)\\n${name} `, 'm'));
    }
    expect(metricIn(text, 'requests_total')).toBe(1);
  });

  it('refuses a body that is too long, and goes on', async () => {
    const sim = await startSim();
    closing.push(sim.close);
    const { chat } = await open(sim.url);
    expect((await chat('x'.repeat(1_000_001))).status).toBe(413);
    expect(sim.requests).toHaveLength(0);
    expect((await chat('Hi.')).status).toBe(200);
  });
});
