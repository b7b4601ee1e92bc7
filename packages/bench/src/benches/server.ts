import { type Sim, type SimEntry, startSim } from '@palimpsest/sim';
import { postgresStore } from '@palimpsest/store-postgres';
import { startPostgres, urlOf } from '@palimpsest/testing/postgres-server';
import pg from 'pg';
import type { Bench, Print } from '../bench.ts';
import { formatNumber, formatVerdict } from '../figures.ts';
import { readSizes } from '../read-sizes.ts';
import { type ServerPair, startServers } from '../server/server-pair.ts';

const PROCESSES = 2;
const SIZES = { users: 200, turns: 20, window: 8_000, live: 50, 'at-once': 40 };
/** Memory is flat where users beyond those at hand add no more than this. */
const FLAT = 1.1;
/** The cached share of many may be so much below that of one. */
const MOST_LESS = 0.02;

/** A process of the server after so many turns of all users: what it had at hand, and what was in use on its heap. */
interface Memory {
  readonly turn: number;
  readonly process: number;
  readonly live: number;
  readonly liveBytes: number;
  readonly heapBytes: number;
}

interface Seen {
  readonly sizes: typeof SIZES;
  readonly seconds: number;
  readonly requests: number;
  readonly refused: readonly string[];
  readonly failed: readonly string[];
  readonly mixed: readonly string[];
  readonly forgotten: readonly string[];
  readonly compactions: number;
  readonly restored: number;
  readonly forks: number;
  readonly memory: readonly Memory[];
  readonly cached: number;
  readonly cachedAlone: number;
  readonly sessions: number;
}

const codeOf = (user: number): string => `code-${user * 7919 + 13}-x`;
const nameOf = (user: number): string => `user-${user}`;
const CODE = /code-\d+-x/g;

const wordsOf = (user: number, turn: number): string =>
  `Turn ${turn}: ${turn === 0 ? `my code is ${codeOf(user)}, keep it` : `and now for matter ${turn} of mine`}. ${'Please mind the details. '.repeat(110)}`;

async function ask(url: string, user: number, path: string, body?: string): Promise<string> {
  const headers = { 'x-user': nameOf(user) };
  const answer = await fetch(`${url}${path}`, body === undefined ? { headers } : { headers, method: 'POST', body });
  const said = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${said.slice(0, 200)}`);
  return said;
}

/** All users once, so many at a time. */
async function runTurn(users: number, atOnce: number, work: (user: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < users) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

const readMemory = (servers: ServerPair, turn: number): Promise<readonly Memory[]> =>
  Promise.all(
    Array.from({ length: PROCESSES }, async (_, at) => {
      const { live_conversations: live = 0, live_bytes: liveBytes = 0 } = await servers.metrics(at);
      return { turn, process: at, live, liveBytes, heapBytes: await servers.heap(at) };
    }),
  );

const shareCached = (entries: readonly SimEntry[]): number => {
  const used = entries.flatMap(({ usage, summary }) => (usage === undefined || summary ? [] : [usage]));
  const read = used.reduce((sum, usage) => sum + usage.cacheRead, 0);
  return read / used.reduce((sum, usage) => sum + usage.cacheRead + usage.cacheWrite + usage.input, 0);
};

/** Requests and stored sessions that hold the words of two users, or of another than their own. */
async function findMixed(sim: Sim, connectionString: string): Promise<{ mixed: string[]; sessions: number }> {
  const mixed = sim.requests.flatMap(({ n, body }) =>
    new Set(JSON.stringify(body).match(CODE)).size > 1 ? [`request ${n}`] : [],
  );
  const pool = new pg.Pool({ connectionString, max: 4 });
  const { rows } = await pool.query<{ tenant: string }>('select distinct tenant from palimpsest.session');
  const owners = new Map<string, string>();
  let sessions = 0;
  for (const { tenant } of rows) {
    const store = postgresStore({ pool, tenant });
    for (const { id } of await store.list()) {
      sessions++;
      const codes = new Set(JSON.stringify((await store.read(id)).records).match(CODE));
      const [code = ''] = codes;
      if (codes.size !== 1 || (owners.get(code) ?? tenant) !== tenant) mixed.push(`session ${id}`);
      owners.set(code, tenant);
    }
  }
  await pool.end();
  return { mixed, sessions };
}

/** So many users talk to two processes of the example's server on a Postgres of their own. */
export async function runServers(sizes: typeof SIZES, note: Print): Promise<Seen> {
  const { users, turns, window, live, 'at-once': atOnce } = sizes;
  const database = await startPostgres();
  const connectionString = urlOf(database);
  const sim = await startSim({
    window,
    model: ({ turn }) => ({ text: `Noted, ${turn}. ${'And so on. '.repeat(90)}` }),
  });
  const environment = {
    DATABASE_URL: connectionString,
    PROVIDER_URL: sim.url,
    WINDOW: String(window),
    LIVE: String(live),
  };
  const servers = await startServers(PROCESSES, environment);
  const [failed, forgotten]: [string[], string[]] = [[], []];
  const memory: Memory[] = [];
  const totals = { compactions: 0, restored: 0, forks: 0 };
  const addTotals = async (): Promise<void> => {
    for (let at = 0; at < PROCESSES; at++) {
      const found = await servers.metrics(at);
      for (const name of ['compactions', 'restored', 'forks'] as const) totals[name] += found[`${name}_total`] ?? 0;
    }
  };
  const begun = performance.now();
  try {
    for (let turn = 0; turn < turns; turn++) {
      const half = Math.floor(turns / 2);
      if (turn === half) {
        await addTotals();
        await servers.restartAll();
      }
      // Behind the restart everybody comes to the other process.
      const urlOfUser = (user: number): string => servers.url((user + (turn < half ? 0 : 1)) % PROCESSES);
      await runTurn(users, atOnce, async (user) => {
        await ask(urlOfUser(user), user, '/chat', wordsOf(user, turn)).catch((error: Error) =>
          failed.push(`${nameOf(user)}, turn ${turn}: ${error.message}`),
        );
        if (turn < turns - 1) return;
        const [own, other] = await Promise.all(
          [user, (user + 1) % users].map((one) => ask(urlOfUser(user), user, `/recall?q=my+${codeOf(one)}`)),
        );
        if (!own?.includes(codeOf(user)) || (users > 1 && other?.includes(codeOf((user + 1) % users))))
          forgotten.push(nameOf(user));
      });
      memory.push(...(await readMemory(servers, turn)));
      note(`turn ${turn + 1} of ${turns}`);
    }
    await addTotals();
    const seconds = (performance.now() - begun) / 1_000;
    const sent = sim.requests.length;
    const cached = shareCached(sim.requests);
    for (let turn = 0; turn < turns; turn++) await ask(servers.url(0), users, '/chat', wordsOf(users, turn));
    const cachedAlone = shareCached(sim.requests.slice(sent));
    await servers.end();
    const refused = sim.requests.flatMap(({ status, problem }) =>
      status === 200 ? [] : [problem?.rule ?? String(status)],
    );
    return {
      ...{ sizes, seconds, requests: sent, refused, failed, forgotten, ...totals, memory, cached, cachedAlone },
      ...(await findMixed(sim, connectionString)),
    };
  } finally {
    await servers.end();
    await sim.close();
    await database.stop();
  }
}

const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const formatShare = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Of the process that had more. */
const mostHeap = (memory: readonly Memory[], at: number): number =>
  Math.max(...memory.filter(({ turn }) => turn === at).map(({ heapBytes }) => heapBytes));

/** The same with no more users than are at hand, for their memory. */
interface Compared extends Seen {
  readonly few: Seen;
}

export const serverBench: Bench<Compared> = {
  name: 'server',
  takes: Object.keys(SIZES),
  async run(args, note) {
    const sizes = readSizes(args, SIZES);
    const few = await runServers({ ...sizes, users: Math.min(sizes.users, PROCESSES * sizes.live) }, note);
    return { ...(await runServers(sizes, note)), few };
  },
  print(seen, print) {
    const { sizes, seconds, requests, compactions, restored, forks, sessions, memory, cached, cachedAlone } = seen;
    const { users, turns, live } = sizes;
    print(
      `${users} users × ${turns} turns, ${PROCESSES} processes (both restarted half-way, users change places), at most ${live} conversations at hand in each: ${formatNumber(requests)} requests in ${seconds.toFixed(0)} s`,
    );
    print(
      `${formatNumber(compactions)} compactions, ${formatNumber(restored)} requests restored from Postgres, ${forks} forks, ${sessions} sessions in the store`,
    );
    print(`| turn | at hand in a process | their text | heap in use | with ${seen.few.sizes.users} users |`);
    print('|---|---|---|---|---|');
    for (const one of memory.filter(({ turn }) => (turn + 1) % Math.max(1, Math.floor(turns / 4)) === 0))
      if (one.process === 0)
        print(
          `| ${one.turn + 1} | ${one.live} | ${formatMegabytes(one.liveBytes)} | ${formatMegabytes(mostHeap(memory, one.turn))} | ${formatMegabytes(mostHeap(seen.few.memory, one.turn))} |`,
        );
    const [many, few] = [memory, seen.few.memory].map((found) => mostHeap(found, turns - 1)) as [number, number];
    const verdicts = [
      [`requests and sessions that hold two users' words: ${seen.mixed.length}`, seen.mixed.length === 0],
      [`users whose code was not recalled, or another's was: ${seen.forgotten.length}`, seen.forgotten.length === 0],
      [`answers that failed: ${seen.failed.slice(0, 3).join('; ') || 'none'}`, seen.failed.length === 0],
      [`requests that the provider refused: ${seen.refused.length}`, seen.refused.length === 0],
      [
        `heap at the end with ${users} users: ${formatMegabytes(many)}; with ${seen.few.sizes.users}: ${formatMegabytes(few)}`,
        many <= few * FLAT,
      ],
      [
        `cached share: ${formatShare(cached)}; of one user alone ${formatShare(cachedAlone)}`,
        cached >= cachedAlone - MOST_LESS,
      ],
    ] as const;
    for (const [text, isMet] of verdicts) print(`${text}: ${formatVerdict(isMet)}`);
    return verdicts.every(([, isMet]) => isMet);
  },
};
