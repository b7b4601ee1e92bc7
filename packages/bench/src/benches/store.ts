import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalRecord } from '@palimpsest/core';
import { fileStore, type Store } from '@palimpsest/store';
import { postgresStore } from '@palimpsest/store-postgres';
import { startPostgres, urlOf } from '@palimpsest/testing/postgres-server';
import type { Bench, Print } from '../bench.ts';
import { findQuantile, formatNumber, formatVerdict } from '../figures.ts';
import { type RecallTimes, STORED, STORED_CHARS, timeRecall } from '../time-recall.ts';

/** A message of a tool, a large result, and what a session holds after a day. */
const SMALL = 2_000;
const LARGE = 200_000;
const APPENDS = 300;
const LARGE_APPENDS = 60;
const LENGTHS = [1_000, 10_000] as const;
/** Sessions that write at the same time, each one record after the other. */
const AT_ONCE = 32;
/** What an append may take, at the median, and a session of the longest length to load. */
const MOST_APPEND_MS = 25;
const MOST_LOAD_MS = 3_000;

interface Row {
  readonly store: string;
  readonly small: readonly number[];
  readonly large: readonly number[];
  /** By `LENGTHS`. */
  readonly load: readonly number[];
  readonly perSecond: number;
  readonly recall: RecallTimes;
}

const record = (n: number, chars: number): JournalRecord => ({
  v: 1,
  type: 'message',
  message: {
    id: `m${n}`,
    role: 'user',
    origin: 'tool',
    parts: [
      { type: 'text', text: Array.from({ length: chars / 20 }, (_, i) => `line ${n * i} of it`.padEnd(20)).join('') },
    ],
  },
});

const time = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

async function timeAppends(store: Store, id: string, count: number, chars: number): Promise<readonly number[]> {
  const session = await store.open(id);
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const one = [record(n, chars)];
    times.push(await time(() => session.journal.append(one)));
  }
  await session.journal.close();
  return times;
}

async function timeLoad(store: Store, length: number): Promise<number> {
  const id = `long-${length}`;
  const session = await store.open(id);
  for (let n = 0; n < length; n += 500)
    await session.journal.append(Array.from({ length: Math.min(500, length - n) }, (_, i) => record(n + i, SMALL)));
  await session.journal.close();
  const times: number[] = [];
  for (let run = 0; run < 3; run++)
    times.push(
      await time(async () => {
        const again = await store.open(id);
        await again.journal.close();
      }),
    );
  return findQuantile(times, 0.5);
}

async function measureStore(name: string, store: Store): Promise<Row> {
  await timeAppends(store, 'warm-up', 50, SMALL);
  const small = await timeAppends(store, 'small', APPENDS, SMALL);
  const large = await timeAppends(store, 'large', LARGE_APPENDS, LARGE);
  const load: number[] = [];
  for (const length of LENGTHS) load.push(await timeLoad(store, length));
  const each = 50;
  const together = await time(() =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, i) => timeAppends(store, `at-once-${i}`, each, SMALL))),
  );
  const perSecond = (AT_ONCE * each * 1_000) / together;
  return { store: name, small, large, load, perSecond, recall: await timeRecall(store) };
}

export const storeBench: Bench<readonly Row[]> = {
  name: 'store',
  async run(_args, note) {
    const dir = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
    const rows: Row[] = [];
    try {
      rows.push(await measureStore('files, fsync always', fileStore({ dir: join(dir, 'always') })));
      rows.push(await measureStore('files, fsync never', fileStore({ dir: join(dir, 'never'), fsync: 'never' })));
      note('Starting Postgres …');
      const server = await startPostgres({ fsync: true });
      const store = postgresStore({ connectionString: urlOf(server), tenant: 'bench' });
      try {
        rows.push(await measureStore('Postgres, on this machine', store));
      } finally {
        await store.close();
        await server.stop();
      }
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
    return rows;
  },
  print(rows, print) {
    printRows(rows, print);
    const slowest = Math.max(...rows.map((row) => findQuantile(row.small, 0.5)));
    const longest = Math.max(...rows.map((row) => row.load.at(-1) ?? 0));
    const isMet = slowest <= MOST_APPEND_MS && longest <= MOST_LOAD_MS;
    print('');
    print(
      `The slowest append takes ${slowest.toFixed(1)} ms at the median (the bar: ${MOST_APPEND_MS}), the longest load ${formatNumber(longest)} ms (${formatNumber(MOST_LOAD_MS)}): ${formatVerdict(isMet)}.`,
    );
    return isMet;
  },
};

function printRows(rows: readonly Row[], print: Print): void {
  print(
    `Appends of one record, waited for: ${APPENDS} of ${SMALL / 1_000} kB and ${LARGE_APPENDS} of ${LARGE / 1_000} kB, p50 / p95.`,
  );
  print(`Opening a session of ${LENGTHS.map(formatNumber).join(' and ')} records of ${SMALL / 1_000} kB, median of 3.`);
  print(`Appends a second over ${AT_ONCE} sessions at once, one process. Node ${process.version}.`);
  print('');
  print('store                          2 kB, ms        200 kB, ms     load 1,000   load 10,000   appends/s');
  const pair = (times: readonly number[]): string =>
    `${findQuantile(times, 0.5).toFixed(2)} / ${findQuantile(times, 0.95).toFixed(2)}`;
  for (const row of rows)
    print(
      [
        row.store.padEnd(26),
        pair(row.small).padStart(14),
        pair(row.large).padStart(17),
        ...row.load.map((ms) => `${formatNumber(ms)} ms`.padStart(12)),
        formatNumber(row.perSecond).padStart(11),
      ].join(' '),
    );
  print('');
  print(
    `A lookup of recall in ${STORED} conversations of ${STORED_CHARS / 1_000_000} MB that only the store has: the first, ${rows[0]?.recall.laterMs.length} later ones at the median, and the longest wait of the event loop.`,
  );
  for (const { store, recall } of rows)
    print(
      [
        store.padEnd(26),
        `${formatNumber(recall.firstMs)} ms`.padStart(12),
        `${formatNumber(findQuantile(recall.laterMs, 0.5))} ms`.padStart(12),
        `${formatNumber(recall.heldMs)} ms`.padStart(12),
      ].join(' '),
    );
}
