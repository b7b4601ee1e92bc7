import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, startGateway } from '@palimpsest/gateway';
import { type Sim, startSim } from '@palimpsest/sim';
import { fileStore } from '@palimpsest/store';
import { type BranchingClient, type ClientSize, makeBranchingClient } from '@palimpsest/testing/branching-client';
import type { Bench, Print } from '../bench.ts';
import { formatNumber, formatPercent, formatVerdict } from '../figures.ts';
import { readSizes } from '../read-sizes.ts';

const WINDOW = 60_000;
const SIZE: ClientSize = { rounds: 60, resultChars: 6_000, systemChars: 36_000 };
const SMALL_WINDOW = 12_000;
const SMALL: ClientSize = { rounds: 24, resultChars: 1_400, systemChars: 8_000 };
const CONVERSATIONS = 500;
const LEAST = { event: 0.8, restart: 0.95 };
const MOST_POINTS = 0.01;

interface Seen {
  readonly events: readonly { readonly name: string; readonly share: number }[];
  readonly one: number;
  readonly many: number;
  readonly conversations: number;
  readonly refused: number;
}

interface Ground {
  readonly sim: Sim;
  ask(client: BranchingClient, messages: Parameters<BranchingClient['body']>[0], id: string): Promise<number>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

async function makeGround(window: number): Promise<Ground> {
  const dir = mkdtempSync(join(tmpdir(), 'palimpsest-branches-'));
  const sim = await startSim({ window });
  const start = (): Promise<Gateway> =>
    startGateway({
      upstreams: { '*': sim.url },
      window,
      secret: 'the same',
      patienceMs: 60_000,
      store: (tenant) => fileStore({ dir: join(dir, tenant), fsync: 'never' }),
    });
  let gateway = await start();
  return {
    sim,
    async ask(client, messages, id) {
      const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer k', 'content-type': 'application/json', 'session-id': id },
        body: JSON.stringify(client.body(messages)),
      });
      await answer.text();
      return shareOf(sim, sim.requests.length - 1);
    },
    async restart() {
      await gateway.close();
      gateway = await start();
    },
    async close() {
      await gateway.close({ graceMs: 0 });
      await sim.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** What the provider's cache served of the requests from one on. */
function shareOf({ requests }: Sim, from: number): number {
  let [read, all] = [0, 0];
  for (const { usage } of requests.slice(from)) {
    read += usage?.cacheRead ?? 0;
    all += (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0) + (usage?.input ?? 0);
  }
  return read / Math.max(1, all);
}

const countRefused = ({ requests }: Sim): number => requests.filter(({ problem }) => problem !== undefined).length;

async function runEvents(note: Print): Promise<Pick<Seen, 'events' | 'refused'>> {
  const ground = await makeGround(WINDOW);
  const events: { name: string; share: number }[] = [];
  const converse = async (name: string): Promise<BranchingClient> => {
    const client = makeBranchingClient(name, SIZE);
    for (let n = 1; n <= SIZE.rounds; n++) await ground.ask(client, client.history(n), name);
    return client;
  };
  for (const name of Object.keys(makeBranchingClient('', SIZE).events)) {
    const client = await converse(name);
    const messages = client.events[name] ?? [];
    events.push({ name, share: await ground.ask(client, messages, name === 'resume' ? 'another' : name) });
    note(`${name}: ${formatPercent(events.at(-1)?.share ?? 0)}`);
  }
  const client = await converse('restart');
  await ground.restart();
  events.push({ name: 'restart', share: await ground.ask(client, client.history(SIZE.rounds), 'restart') });
  const refused = countRefused(ground.sim);
  await ground.close();
  return { events, refused };
}

/** Conversations in turn: each waits until all the others have had theirs. */
async function runMany(conversations: number): Promise<{ readonly share: number; readonly refused: number }> {
  const ground = await makeGround(SMALL_WINDOW);
  const clients = Array.from({ length: conversations }, (_, n) => makeBranchingClient(`n${n}`, SMALL));
  for (let round = 1; round <= SMALL.rounds; round++)
    for (const [n, client] of clients.entries()) await ground.ask(client, client.history(round), `n${n}`);
  const seen = { share: shareOf(ground.sim, 0), refused: countRefused(ground.sim) };
  await ground.close();
  return seen;
}

export const branchesBench: Bench<Seen> = {
  name: 'branches',
  takes: ['conversations'],
  async run(args, note) {
    const { conversations } = readSizes(args, { conversations: CONVERSATIONS });
    const { events, refused } = await runEvents(note);
    const one = await runMany(1);
    const many = await runMany(conversations);
    return { events, one: one.share, many: many.share, conversations, refused: refused + one.refused + many.refused };
  },
  print({ events, one, many, conversations, refused }, print) {
    print('| the client | cached share of the request that follows |');
    print('|---|---|');
    for (const { name, share } of events) print(`| ${name} | ${formatPercent(share)} |`);
    const leastOf = (name: string): number => (name === 'restart' ? LEAST.restart : LEAST.event);
    const isServed = events.every(({ name, share }) => share >= leastOf(name));
    const isEven = many >= one - MOST_POINTS;
    print('');
    print(
      `each at least ${formatPercent(LEAST.event)}, a restart ${formatPercent(LEAST.restart)}: ${formatVerdict(isServed)}`,
    );
    print(
      `${formatNumber(conversations)} conversations in turn ${formatPercent(many)}, one ${formatPercent(one)}: ${formatVerdict(isEven)}`,
    );
    print(`refused: ${refused}: ${formatVerdict(refused === 0)}`);
    return isServed && isEven && refused === 0;
  },
};
