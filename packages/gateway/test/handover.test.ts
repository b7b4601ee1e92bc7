import type { ServerResponse } from 'node:http';
import { type Gateway, type RequestLine, startGateway } from '@palimpsest/gateway';
import { memoryStore } from '@palimpsest/store';
import { type WatchedStore, watchWriters } from '@palimpsest/testing/watch-writers';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answerJson, type RawUpstream, sendRaw, startUpstream } from './raw-upstream.ts';

const ROUNDS = 24;
const messages = (rounds: number) => [
  { role: 'user', content: 'Never touch LOCKED.md.' },
  ...Array.from({ length: rounds }, (_, n) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: 'read', input: { path: `f${n}` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: `file ${n} `.repeat(200) }] },
  ]).flat(),
];

const bodyOf = (rounds: number): string =>
  JSON.stringify({
    model: 'm',
    max_tokens: 100,
    tools: [{ name: 'read', input_schema: {} }],
    messages: messages(rounds),
  });

describe('two gateways with one store that a balancer sends one conversation to in turn', () => {
  let store: WatchedStore;
  let upstream: RawUpstream;
  let gateways: readonly Gateway[];
  let lines: RequestLine[];
  let answer: (response: ServerResponse) => void;

  beforeEach(async () => {
    store = watchWriters(memoryStore());
    lines = [];
    answer = (response) => answerJson(response, { usage: { output_tokens: 1 } });
    upstream = await startUpstream((_, response) => answer(response));
    onTestFinished(upstream.close);
    const start = () =>
      startGateway({
        upstreams: { '*': upstream.url },
        window: 8_000,
        secret: 'the same',
        patienceMs: 30_000,
        store,
        onRequest: (line) => lines.push(line),
      });
    gateways = [await start(), await start()];
    for (const gateway of gateways) onTestFinished(() => gateway.close({ graceMs: 0 }));
  });

  /** Sends a request and waits until its conversation is anyone's. A broken transfer has status 0. */
  async function ask(at: number, rounds: number) {
    const got = await sendRaw(`${gateways[at]!.url}/v1/messages`, {
      headers: { 'x-api-key': 'k', 'content-type': 'application/json' },
      body: bodyOf(rounds),
    }).catch(() => ({ status: 0 }));
    await expect.poll(store.countHeld, { timeout: 20_000 }).toBe(0);
    return { status: got.status, sent: upstream.arrived.at(-1)!.bytes.toString() };
  }

  it('go on in one session: each sends what the other would have sent', async () => {
    for (let rounds = 1; rounds <= ROUNDS; rounds++) await ask(rounds % 2, rounds);
    const { sent } = await ask(ROUNDS % 2, ROUNDS);
    expect(sent.length).toBeLessThan(bodyOf(ROUNDS).length);
    expect((await ask((ROUNDS + 1) % 2, ROUNDS)).sent).toBe(sent);
    await expect.poll(() => lines.length).toBe(ROUNDS + 2);
    expect(new Set(lines.map(({ session }) => session)).size).toBe(1);
    expect(lines.filter(({ passed }) => passed !== undefined)).toEqual([]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['the provider refused it', (response) => void response.writeHead(529).end('{}')],
    ['the provider is gone', (response) => void response.destroy()],
    [
      'the provider broke off',
      (response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n', () => response.destroy()),
    ],
  ])('hand over what came to nothing, too: %s', async (_, fail) => {
    for (let rounds = 1; rounds < ROUNDS; rounds++) await ask(0, rounds);
    const good = answer;
    answer = fail;
    const failed = await ask(0, ROUNDS);
    answer = good;
    const again = await ask(1, ROUNDS);
    expect(again).toEqual({ status: 200, sent: failed.sent });
    await expect.poll(() => lines.length).toBe(ROUNDS + 1);
    expect(new Set(lines.map(({ session }) => session)).size).toBe(1);
  });
});
