import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, type GatewayOptions, type RequestLine, startGateway } from '@palimpsest/gateway';
import { memoryStore } from '@palimpsest/store';
import { fastOrDeep } from '@palimpsest/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EndingStore } from './ending-store.ts';
import { answerJson, type RawArrived, sendRaw, sha256, startUpstream } from './raw-upstream.ts';

const WINDOW = 8_000;

const messagesOf = (client: string, rounds: number) => [
  { role: 'user', content: `I am ${client}. Never touch LOCKED.md.` },
  ...Array.from({ length: rounds }, (_, n) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: 'read', input: { path: `f${n}` } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: `${client} file ${n} `.repeat(120) }],
    },
  ]).flat(),
];

const ask = (gateway: Gateway, client: string, rounds: number, path = '/v1/messages') =>
  sendRaw(gateway.url + path, {
    headers: { 'x-api-key': 'k', 'content-type': 'application/json', 'x-palimpsest-session': client },
    body: JSON.stringify({
      model: 'm',
      max_tokens: 100,
      tools: [{ name: 'read', input_schema: {} }],
      messages: messagesOf(client, rounds),
    }),
  });

/** A provider that refuses what is longer than its window. */
async function startProvider() {
  const upstream = await startUpstream((arrived, response) => {
    if (arrived.bytes.length <= WINDOW * 4) return answerJson(response, { usage: { output_tokens: 1 } });
    const message = `prompt is too long: ${Math.ceil(arrived.bytes.length / 4)} tokens > ${WINDOW} maximum`;
    answerJson(response, { type: 'error', error: { type: 'invalid_request_error', message } }, 400);
  });
  onTestFinished(upstream.close);
  return upstream;
}

async function start(options: GatewayOptions, url: string) {
  const gateway = await startGateway({
    upstreams: { '*': url },
    window: WINDOW,
    secret: 's',
    patienceMs: 60_000,
    ...options,
  });
  onTestFinished(() => gateway.close({ graceMs: 5_000 }));
  return gateway;
}

const CLIENTS = Array.from({ length: 6 }, (_, n) => `client-${n}`);

describe('worker threads', () => {
  it('send the very bytes that are sent without them, and have every conversation', async () => {
    const sent: string[][] = [];
    for (const workers of [0, 2]) {
      const upstream = await startProvider();
      const gateway = await start({ workers }, upstream.url);
      const hashes: string[] = [];
      for (const client of CLIENTS)
        for (let rounds = 1; rounds <= 24; rounds += 3) {
          await ask(gateway, client, rounds);
          hashes.push(sha256(upstream.arrived.at(-1)!.bytes));
        }
      sent.push(hashes);
      const { text } = await sendRaw(`${gateway.url}/metrics`);
      expect(text).toContain(`palimpsest_conversations ${CLIENTS.length}\n`);
      const { text: page } = await sendRaw(gateway.inspectUrl);
      for (const client of CLIENTS) expect(page).toContain(`I am ${client}.`);
    }
    expect(sent[1]).toEqual(sent[0]);
  });

  it('cannot be handed a store, which has to be opened in each of them', async () => {
    await expect(startGateway({ workers: 1, store: memoryStore() })).rejects.toMatchObject({ code: 'bad-option' });
  });

  it.each([-1, 1.5, Number.NaN])('are not started %d times', async (workers) => {
    await expect(startGateway({ workers })).rejects.toMatchObject({ code: 'bad-option' });
  });

  it('do not start with a store that cannot be opened', async () => {
    const store = { module: new URL('./no-such-store.ts', import.meta.url), data: undefined };
    await expect(startGateway({ workers: 1, store })).rejects.toThrow(/ERR_MODULE_NOT_FOUND|no-such-store/);
  });

  it('that end while they read a body leave it to the next one', async () => {
    const ends = new SharedArrayBuffer(8);
    const flags = new Int32Array(ends);
    const losses: string[] = [];
    const upstream = await startProvider();
    const module = new URL('./ending-store.ts', import.meta.url);
    const gateway = await start(
      { workers: 1, store: { module, data: { ends } }, onThreadLost: ({ why }) => losses.push(why) },
      upstream.url,
    );
    const loseNextTwo = async (): Promise<void> => {
      const before = losses.length;
      Atomics.store(flags, 1, 1);
      Atomics.store(flags, 0, 1);
      await expect.poll(() => losses.length).toBe(before + 1);
    };
    await loseNextTwo();
    const { status, headers, text } = await ask(gateway, 'client-1', 40);
    expect(status, text).toBe(200);
    expect(headers['x-palimpsest-passed']).toMatch(/thread-lost/);
    expect(losses).toHaveLength(2);
    await loseNextTwo();
    const counted = await ask(gateway, 'client-1', 4, '/v1/messages/count_tokens');
    expect(counted.status, counted.text).toBe(200);
    expect(losses).toHaveLength(4);
  });

  it('are all closed even if one of them ends meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-threads-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const ends = new SharedArrayBuffer(8);
    const closed = join(folder, 'closed');
    const gateway = await startGateway({
      workers: 2,
      store: { module: new URL('./ending-store.ts', import.meta.url), data: { ends, closed } },
    });
    Atomics.store(new Int32Array(ends), 0, 1);
    await gateway.close();
    expect(existsSync(closed)).toBe(true);
  });

  it.each([['files'], ['memory']] as const)(
    'that end under load cost no client an answer, with %s; nothing is mixed up, and what is stored goes on',
    async (kind) => {
      const folder = mkdtempSync(join(tmpdir(), 'palimpsest-threads-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const ends = new SharedArrayBuffer(8);
      const data: EndingStore = kind === 'files' ? { folder, ends } : { ends };
      const losses: string[] = [];
      const lines: RequestLine[] = [];
      const upstream = await startProvider();
      const gateway = await start(
        {
          workers: 2,
          store: { module: new URL('./ending-store.ts', import.meta.url), data },
          onThreadLost: ({ why }) => losses.push(why),
          onRequest: (line) => lines.push(line),
        },
        upstream.url,
      );
      const kills = fastOrDeep(3, 50);
      let isOver = false;
      const sessions = new Map<string, Set<string>>();
      const answered = new Set<string>();
      const talk = async (client: string): Promise<void> => {
        for (let rounds = 1; !isOver || rounds <= 24; rounds++) {
          const { status, headers, text } = await ask(gateway, client, Math.min(rounds, 60));
          expect(status, text).toBe(200);
          if (headers['x-palimpsest-passed'] !== undefined) continue;
          answered.add(client);
          const seen = sessions.get(client) ?? new Set();
          sessions.set(client, seen.add(String(headers['x-palimpsest-session'])));
        }
      };
      const end = async (): Promise<void> => {
        for (let kill = 0; kill < kills; kill++) {
          Atomics.store(new Int32Array(ends), 0, 1);
          await expect.poll(() => losses.length).toBe(kill + 1);
          // A client is refused if every thread that is started for it ends at once.
          answered.clear();
          await expect.poll(() => answered.size).toBe(CLIENTS.length);
        }
        isOver = true;
      };
      await Promise.all([...CLIENTS.map(talk), end()]);
      expect(losses).toEqual(Array.from({ length: kills }, () => 'it ended with 7'));
      for (const { bytes } of upstream.arrived) expectOneClient(bytes);
      const reasons = new Set(lines.flatMap(({ passed }) => passed ?? []));
      for (const why of reasons) expect(why).toMatch(/thread-lost/);
      if (kind === 'files') for (const client of CLIENTS) expect([...(sessions.get(client) ?? [])]).toHaveLength(1);
    },
    10 * 60_000,
  );
});

function expectOneClient(bytes: RawArrived['bytes']): void {
  const named = new Set(bytes.toString().match(/client-\d/g));
  expect([...named]).toHaveLength(1);
}
