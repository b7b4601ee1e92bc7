import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSession, type JournalRecord, type Message, partText } from '@palimpsest/core';
import { type Sim, startSim } from '@palimpsest/sim';
import { postgresStore } from '@palimpsest/store-postgres';
import { type BranchingClient, makeBranchingClient } from '@palimpsest/testing/branching-client';
import { bundleChild, type Child, startChild } from '@palimpsest/testing/children/child-process';
import { type PostgresServer, startPostgres, urlOf } from '@palimpsest/testing/postgres-server';
import pg from 'pg';
import type { Bench, Print } from '../bench.ts';
import { formatNumber, formatVerdict } from '../figures.ts';
import { readSizes } from '../read-sizes.ts';

const WINDOW = 12_000;
const GATEWAYS = 3;
const MOST_TRIES = 60;
/**
 * Sessions, requests of each, and how often a gateway is killed; `--kills`: so many at the least, however long it takes;
 * `--patience-ms`: how long keeping may take, so that on a busy machine too requests are kept and not passed on.
 */
const SIZES = { sessions: 50, requests: 200, 'kill-every-ms': 10_000, kills: 0, restarts: 1, 'patience-ms': 1_000 };

interface Seen {
  readonly sessions: number;
  readonly requests: number;
  readonly seconds: number;
  readonly kills: number;
  readonly restarts: number;
  readonly retried: number;
  readonly passed: ReadonlyMap<string, number>;
  /** Answers that were no answers, by status. */
  readonly failed: ReadonlyMap<number, number>;
  readonly invalid: number;
  readonly tooLong: number;
  readonly stored: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

const count = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Three gateways, of which one is killed and started anew now and then. */
interface Fleet {
  readonly kills: number;
  readonly passed: ReadonlyMap<string, number>;
  url(at: number): string | undefined;
  killOne(): void;
  end(): Promise<void>;
}

async function startFleet(script: string, options: object): Promise<Fleet> {
  const passed = new Map<string, number>();
  const urls: (string | undefined)[] = [];
  const children: Child[] = [];
  let [kills, isOver] = [0, false];
  const start = async (at: number): Promise<void> => {
    const child = startChild(script, [JSON.stringify(options)]);
    children[at] = child;
    void child.ended.then(() => {
      for (const line of child.lines) if (line.startsWith('passed ')) count(passed, line.slice('passed '.length));
      if (!isOver && children[at] === child) void start(at);
    });
    urls[at] = (await child.line('url ').catch(() => '')).slice('url '.length) || undefined;
  };
  await Promise.all(Array.from({ length: GATEWAYS }, (_, at) => start(at)));
  return {
    get kills() {
      return kills;
    },
    passed,
    url: (at) => urls[at],
    killOne() {
      const at = kills++ % GATEWAYS;
      urls[at] = undefined;
      children[at]?.process.kill('SIGKILL');
    },
    async end() {
      isOver = true;
      for (const child of children) child.process.kill('SIGKILL');
      await Promise.all(children.map(({ ended }) => ended));
    },
  };
}

interface Tally {
  served: number;
  retried: number;
  readonly failed: Map<number, number>;
}

/** One client, which stays with a gateway until that fails it. */
async function runClient(fleet: Fleet, client: BranchingClient, id: string, requests: number, tally: Tally) {
  let at = Number(id.slice(1)) % GATEWAYS;
  for (let n = 1; n <= requests; ) {
    const url = fleet.url(at);
    const status = url === undefined ? 0 : await sendOne(url, client, n, id);
    if (status === 200) {
      n++;
      tally.served++;
    } else {
      tally.retried++;
      if (status > 0) count(tally.failed, status);
      at = Math.floor(Math.random() * GATEWAYS);
      await sleep(50 + Math.random() * 100);
    }
  }
}

/** The newest request once more, until it is kept with the store again: what was passed on meanwhile comes with it. */
async function settleClient(fleet: Fleet, client: BranchingClient, id: string, requests: number): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const url = fleet.url(tries % GATEWAYS);
    const status = url === undefined ? 0 : await sendOne(url, client, requests, id, true);
    if (status === 200) return;
    await sleep(1_000);
  }
}

const sendOne = async (
  url: string,
  client: BranchingClient,
  n: number,
  id: string,
  isKeptOnly = false,
): Promise<number> => {
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json', 'session-id': id };
  const body = JSON.stringify(client.body(client.history(n)));
  try {
    const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
    await answer.text();
    return isKeptOnly && answer.headers.has('x-palimpsest-passed') ? 0 : answer.status;
  } catch {
    return 0;
  }
};

/** What the stored sessions have of each client's conversation: all of it in one of them, and nothing twice in any. */
async function examineStore(connectionString: string, names: readonly string[], requests: number) {
  const pool = new pg.Pool({ connectionString, max: 4 });
  const found = await pool.query<{ tenant: string }>('select distinct tenant from palimpsest.session');
  const [lost, doubled]: [string[], string[]] = [[], []];
  const complete = new Set<string>();
  let stored = 0;
  for (const { tenant } of found.rows) {
    const store = postgresStore({ pool, tenant });
    for (const { id } of await store.list()) {
      const { records } = await store.read(id);
      stored++;
      const messages = createSession({ window: WINDOW, records }).transcript();
      const name = nameIn(messages);
      const parts = readParts(messages);
      if (new Set(parts).size !== parts.length || hasTwice(records)) doubled.push(id);
      if (name !== undefined && parts.length >= requests) complete.add(name);
    }
  }
  for (const name of names) if (!complete.has(name)) lost.push(name);
  await pool.end();
  return { stored, lost, doubled };
}

const textOf = ({ parts }: Message): string => parts.map(partText).join('\n');
const nameIn = ([first]: readonly Message[]): string | undefined =>
  first === undefined ? undefined : /I am (\w+)\./.exec(textOf(first))?.[1];
const readParts = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => /^\/\/ part (\d+) of/.exec(textOf(message))?.[1] ?? []);

const hasTwice = (records: readonly JournalRecord[]): boolean => {
  const ids = records.flatMap((record) => (record.type === 'message' ? [record.message.id] : []));
  return new Set(ids).size !== ids.length;
};

async function killGateways(fleet: Fleet, everyMs: number, over: AbortSignal, tellProgress: () => void): Promise<void> {
  for (;;) {
    await sleep(everyMs, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return;
    fleet.killOne();
    if (fleet.kills % 5 === 0) tellProgress();
  }
}

/** Restarts the database when an even share of the requests has been served: in the middle, if it is to be once. */
async function restartDatabase(server: PostgresServer, times: number, served: () => number, over: AbortSignal) {
  let restarts = 0;
  while (restarts < times && !over.aborted) {
    await sleep(20, undefined, { signal: over }).catch(() => {});
    if (served() < (restarts + 1) / (times + 1)) continue;
    restarts++;
    await server.restart(() => sleep(1_000));
  }
  return restarts;
}

const clientSize = (rounds: number) => ({ rounds, resultChars: 700, systemChars: 4_000 });

async function runAll(sizes: typeof SIZES, note: Print): Promise<Seen> {
  const builds = fileURLToPath(new URL(`../../.test-build/${process.pid}`, import.meta.url));
  const server = await startPostgres();
  const connectionString = urlOf(server);
  const sim: Sim = await startSim({ window: WINDOW });
  const script = await bundleChild(new URL('../gateway/gateway-on-store.ts', import.meta.url), builds);
  const fleet = await startFleet(script, {
    place: connectionString,
    upstream: sim.url,
    window: WINDOW,
    patienceMs: sizes['patience-ms'],
  });
  const over = new AbortController();
  const tally: Tally = { served: 0, retried: 0, failed: new Map() };
  const names = Array.from({ length: sizes.sessions }, (_, i) => `n${i}`);
  try {
    const begun = performance.now();
    const killing = killGateways(fleet, sizes['kill-every-ms'], over.signal, () =>
      note(`${fleet.kills} kills, ${formatNumber(tally.served)} requests served`),
    );
    const shareServed = (): number => tally.served / (sizes.sessions * sizes.requests);
    const restarting = restartDatabase(server, sizes.restarts, shareServed, over.signal);
    for (let nth = 0; nth === 0 || fleet.kills < sizes.kills; nth++) {
      if (nth > 0) names.push(...Array.from({ length: sizes.sessions }, (_, i) => `n${nth * sizes.sessions + i}`));
      const clients = names.slice(-sizes.sessions);
      await Promise.all(
        clients.map((name) =>
          runClient(fleet, makeBranchingClient(name, clientSize(sizes.requests)), name, sizes.requests, tally),
        ),
      );
      note(`${names.length} conversations, ${fleet.kills} kills`);
    }
    over.abort();
    const restarts = await restarting;
    await killing;
    const seconds = (performance.now() - begun) / 1_000;
    const { kills } = fleet;
    for (const name of names)
      await settleClient(fleet, makeBranchingClient(name, clientSize(sizes.requests)), name, sizes.requests);
    await fleet.end();
    const problems = sim.requests.flatMap(({ problem }) => (problem === undefined ? [] : [problem.rule]));
    return {
      ...{ sessions: names.length, requests: sizes.requests, seconds, kills, restarts },
      ...{ retried: tally.retried, passed: fleet.passed, failed: tally.failed },
      invalid: problems.filter((rule) => rule !== 'too-long').length,
      tooLong: problems.filter((rule) => rule === 'too-long').length,
      ...(await examineStore(connectionString, names, sizes.requests)),
    };
  } finally {
    over.abort();
    await fleet.end();
    await sim.close();
    await server.stop();
    rmSync(builds, { recursive: true, force: true });
  }
}

export const postgresBench: Bench<Seen> = {
  name: 'postgres',
  takes: Object.keys(SIZES),
  run: (args, note) => runAll(readSizes(args, SIZES), note),
  print(seen, print) {
    const { sessions, requests, seconds, kills, restarts, retried, invalid, tooLong, stored, lost, doubled } = seen;
    const listOf = (counts: ReadonlyMap<unknown, number>): string =>
      [...counts].map(([what, times]) => `${String(what)} (×${times})`).join(', ') || 'none';
    print(
      `${GATEWAYS} gateways on one Postgres, ${sessions} conversations of ${formatNumber(requests)} requests in ${seconds.toFixed(0)} s: ${kills} gateways killed, the database restarted ${restarts} times`,
    );
    print(
      `requests sent again after a kill ${retried}; passed as they came: ${listOf(seen.passed)}, of which too long, and kept without the store: ${tooLong}`,
    );
    const verdicts = [
      [`views that the provider found invalid: ${invalid}`, invalid === 0],
      [`requests that the gateway refused: ${listOf(seen.failed)}`, seen.failed.size === 0],
      [`${stored} stored sessions load; conversations that none has whole: ${lost.length}`, lost.length === 0],
      [`sessions with a record twice: ${doubled.length}`, doubled.length === 0],
    ] as const;
    for (const [text, isMet] of verdicts) print(`${text}: ${formatVerdict(isMet)}`);
    return verdicts.every(([, isMet]) => isMet);
  },
};
