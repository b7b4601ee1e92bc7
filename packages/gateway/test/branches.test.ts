import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, type RequestLine, startGateway } from '@palimpsest/gateway';
import { type Sim, startSim } from '@palimpsest/sim';
import { fileStore } from '@palimpsest/store';
import { makeBranchingClient } from '@palimpsest/testing/branching-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from './raw-upstream.ts';

const ROUNDS = 24;
const SIZE = { rounds: ROUNDS, resultChars: 1_400, systemChars: 8_000 };
const dir = mkdtempSync(join(tmpdir(), 'palimpsest-branches-'));
const lines: RequestLine[] = [];
let sim: Sim;
let gateway: Gateway;

const start = () =>
  startGateway({
    upstreams: { '*': sim.url },
    window: 12_000,
    secret: 'the same',
    patienceMs: 30_000,
    store: (tenant) => fileStore({ dir: join(dir, tenant), fsync: 'never' }),
    onRequest: (line) => lines.push(line),
  });

beforeAll(async () => {
  sim = await startSim({ window: 12_000 });
  gateway = await start();
});
afterAll(async () => {
  await gateway.close({ graceMs: 0 });
  await sim.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The share of a request that the provider's cache served. */
async function ask(body: object, id: string): Promise<number> {
  const { status } = await sendRaw(`${gateway.url}/v1/chat/completions`, {
    headers: { authorization: 'Bearer k', 'content-type': 'application/json', 'session-id': id },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
  const { cacheRead, cacheWrite, input } = sim.requests.at(-1)!.usage!;
  return cacheRead / (cacheRead + cacheWrite + input);
}

async function converse(name: string) {
  const client = makeBranchingClient(name, SIZE);
  for (let n = 1; n <= ROUNDS; n++) await ask(client.body(client.history(n)), name);
  return client;
}

describe('the cached share of the request after', () => {
  it.each(['fork', 'rewind', 'interrupt', 'client pruning', 'client compaction', 'resume'])(
    'a %s is four fifths and more',
    async (event) => {
      const name = event.replace(' ', '-');
      const client = await converse(name);
      expect(lines.some(({ compacted }) => compacted)).toBe(true);
      // A client that is started again on what it said before has another id.
      const share = await ask(client.body(client.events[event]!), event === 'resume' ? 'another' : name);
      expect(share).toBeGreaterThanOrEqual(0.8);
      expect(sim.requests.filter(({ problem }) => problem !== undefined)).toEqual([]);
    },
  );

  it('a restart with a store is 95 % and more', async () => {
    const client = await converse('restarted');
    await gateway.close();
    gateway = await start();
    expect(await ask(client.body(client.history(ROUNDS)), 'restarted')).toBeGreaterThanOrEqual(0.95);
    expect(lines.filter(({ passed }) => passed !== undefined)).toEqual([]);
  });
});

describe('many conversations in turn', () => {
  it('are served from the cache as one is', async () => {
    const size = { ...SIZE, rounds: 12 };
    const shareOf = async (names: readonly string[]): Promise<number> => {
      const clients = names.map((name) => ({ name, ...makeBranchingClient(name, size) }));
      const from = sim.requests.length;
      for (let n = 1; n <= size.rounds; n++)
        for (const { name, body, history } of clients) await ask(body(history(n)), name);
      const used = sim.requests.slice(from).map(({ usage }) => usage!);
      const sum = (pick: (one: (typeof used)[number]) => number): number =>
        used.reduce((all, one) => all + pick(one), 0);
      return (
        sum(({ cacheRead }) => cacheRead) / sum(({ cacheRead, cacheWrite, input }) => cacheRead + cacheWrite + input)
      );
    };
    const one = await shareOf(['lone']);
    const many = await shareOf(Array.from({ length: 10 }, (_, i) => `many${i}`));
    expect(many).toBeGreaterThanOrEqual(one - 0.01);
  });
});
