import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSim } from '@palimpsest/sim';
import { type ClientSize, makeBranchingClient } from '@palimpsest/testing/branching-client';
import { bundleChild, startChild } from '@palimpsest/testing/children/child-process';
import { startPostgres, urlOf } from '@palimpsest/testing/postgres-server';
import type { Bench } from '../bench.ts';
import { formatPercent, formatVerdict } from '../figures.ts';
import { readSizes } from '../read-sizes.ts';

const WINDOW = 60_000;
const SIZES = { rounds: 120, 'patience-ms': 1_000 };
const sizeOf = (rounds: number): ClientSize => ({ rounds, resultChars: 6_000, systemChars: 36_000 });
/** The share that the provider's cache serves may be so much less where a conversation changes its gateway at each request. */
const MOST_POINTS = 0.01;

interface Course {
  readonly place: string;
  readonly gateways: number;
  readonly cached: number;
  readonly money: number;
  readonly compactions: number;
  /** Sessions that the answers named. */
  readonly sessions: number;
  /** Spent in the gateway before a request went on, in ms. */
  readonly waits: readonly number[];
  readonly passed: number;
  readonly refused: number;
}

/** One conversation, each of whose requests goes to the next of so many gateways. */
async function runInTurn(
  script: string,
  place: string,
  gateways: number,
  sizes: typeof SIZES,
): Promise<Omit<Course, 'place'>> {
  const sim = await startSim({ window: WINDOW });
  const options = { place, upstream: sim.url, window: WINDOW, patienceMs: sizes['patience-ms'] };
  const children = Array.from({ length: gateways }, () => startChild(script, [JSON.stringify(options)]));
  try {
    const urls = await Promise.all(children.map(async (child) => (await child.line('url ')).slice('url '.length)));
    const client = makeBranchingClient(`g${gateways}`, sizeOf(sizes.rounds));
    const answers: Headers[] = [];
    for (let n = 1; n <= sizes.rounds; n++) {
      const answer = await fetch(`${urls[n % gateways]}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer k', 'content-type': 'application/json', 'session-id': `g${gateways}` },
        body: JSON.stringify(client.body(client.history(n))),
      });
      await answer.text();
      answers.push(answer.headers);
    }
    const { cacheRead, cacheWrite, input, money } = sim.bill();
    const readAll = (name: string): readonly string[] => answers.flatMap((headers) => headers.get(name) ?? []);
    return {
      gateways,
      cached: cacheRead / (cacheRead + cacheWrite + input),
      money,
      compactions: readAll('x-palimpsest-compacted').length,
      sessions: new Set(readAll('x-palimpsest-session')).size,
      waits: readAll('x-palimpsest-overhead-ms').map(Number),
      passed: readAll('x-palimpsest-passed').length,
      refused: sim.requests.filter(({ problem }) => problem !== undefined).length,
    };
  } finally {
    for (const child of children) child.process.kill('SIGKILL');
    await Promise.all(children.map(({ ended }) => ended));
    await sim.close();
  }
}

const percentileOf = (values: readonly number[], share: number): string =>
  ([...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(0);

export const handoverBench: Bench<readonly Course[]> = {
  name: 'handover',
  takes: Object.keys(SIZES),
  async run(args, note) {
    const sizes = readSizes(args, SIZES);
    const builds = fileURLToPath(new URL(`../../.test-build/${process.pid}`, import.meta.url));
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-handover-'));
    const script = await bundleChild(new URL('../gateway/gateway-on-store.ts', import.meta.url), builds);
    const server = await startPostgres();
    const courses: Course[] = [];
    try {
      for (const [place, address] of [['Postgres', urlOf(server)] as const, ['files', folder] as const])
        for (const gateways of [1, 2]) {
          courses.push({ place, ...(await runInTurn(script, address, gateways, sizes)) });
          note(`${place}, ${gateways}: ${formatPercent(courses.at(-1)?.cached ?? 0)}`);
        }
    } finally {
      await server.stop();
      for (const made of [folder, builds]) rmSync(made, { recursive: true, force: true });
    }
    return courses;
  },
  print(courses, print) {
    print(
      '| store | gateways in turn | cached | money | compactions | sessions | held up p50 / p95 | passed on | refused |',
    );
    print('|---|---|---|---|---|---|---|---|---|');
    for (const { place, gateways, cached, money, compactions, sessions, waits, passed, refused } of courses)
      print(
        `| ${place} | ${gateways} | ${formatPercent(cached)} | ${money.toFixed(3)} | ${compactions} | ${sessions} | ${percentileOf(waits, 0.5)} / ${percentileOf(waits, 0.95)} ms | ${passed} | ${refused} |`,
      );
    const isEven = courses.every(({ place, cached }) =>
      courses.every((one) => one.place !== place || cached >= one.cached - MOST_POINTS),
    );
    const isOne = courses.every(({ sessions, passed, refused }) => sessions === 1 && passed + refused === 0);
    print(`two gateways in turn within a point of one: ${formatVerdict(isEven)}`);
    print(`one session, nothing passed on or refused: ${formatVerdict(isOne)}`);
    return isEven && isOne;
  },
};
