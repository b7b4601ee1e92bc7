import { createSession, type EventLoop, type JournalRecord, loadSession, type Session } from '@palimpsest/core';
import { createKeeper } from '@palimpsest/sdk/keeper';
import { inOnePiece } from '@palimpsest/testing';
import type { Print } from './bench.ts';
import { findMedian, formatNumber, formatVerdict } from './figures.ts';
import { newTalk } from './gateway/send-load.ts';
import { makeTraffic } from './traffic.ts';
import { type Blocks, watchLoop } from './watch-loop.ts';

/** So much is brought at once. */
const MESSAGES = 10_000;
const WINDOW = 200_000;
const BODIES = [1_000_000, 3_800_000] as const;
const RUNS = 3;
/** The bar, for processor time: what other processes take is not ours. */
const MOST_BLOCK_MS = 50;

/** One thing that is a lot of work, and how long others waited for it in one piece and in slices. */
export interface AtOnce {
  readonly name: string;
  readonly whole: Blocks;
  readonly sliced: Blocks;
}

type Work = (loop: EventLoop | undefined) => Promise<() => unknown>;

const portsOf = (loop: EventLoop | undefined) => (loop === undefined ? {} : { loop });

/** A history of so many messages and characters, as a store has it. */
function makeRecords(): readonly JournalRecord[] {
  const session = createSession({ window: WINDOW });
  for (const turn of makeTraffic(7, 0.5)) {
    for (const message of turn) session.append(message);
    if (session.transcript().length >= MESSAGES) break;
  }
  const records = session.transcript().map((message): JournalRecord => ({ v: 1, type: 'message', message }));
  return JSON.parse(JSON.stringify(records)) as readonly JournalRecord[];
}

function listWorks(): readonly { readonly name: string; readonly work: Work }[] {
  const records = makeRecords();
  const size = JSON.stringify(records).length;
  const long = `${formatNumber(records.length)} messages, ${(size / 1e6).toFixed(1)} MB`;
  const load = (loop: EventLoop | undefined): Promise<Session> =>
    loadSession({ window: WINDOW, records, ports: portsOf(loop) });
  return [
    { name: `load ${long}`, work: async (loop) => () => load(loop) },
    {
      name: `first view of them`,
      work: async (loop) => {
        const session = await load(loop);
        return () => session.view();
      },
    },
    ...BODIES.flatMap((bytes) => {
      const talk = newTalk('talk', bytes);
      const bodies = [talk(), talk()].map((body) => body.toString());
      const ask = (n: number) => ({ wire: 'anthropic', body: JSON.parse(bodies[n] ?? '') as object }) as const;
      const open = (loop: EventLoop | undefined) => createKeeper({ window: bytes / 8, ports: portsOf(loop) });
      return [
        {
          name: `keep ${(bytes / 1e6).toFixed(1)} MB, first request`,
          work: async (loop: EventLoop | undefined) => {
            const [keeper, request] = [open(loop), ask(0)];
            return () => keeper.keep(request);
          },
        },
        {
          name: `keep ${(bytes / 1e6).toFixed(1)} MB, next request`,
          work: async (loop: EventLoop | undefined) => {
            const [keeper, request] = [open(loop), ask(1)];
            await keeper.keep(ask(0));
            return () => keeper.keep(request);
          },
        },
      ];
    }),
  ];
}

const middleOf = (all: readonly Blocks[]): Blocks => {
  const pick = (field: keyof Blocks): number => findMedian(all.map((one) => one[field]));
  return { totalMs: pick('totalMs'), wallMs: pick('wallMs'), cpuMs: pick('cpuMs'), turns: pick('turns') };
};

/** The longest block of each, the median of a few runs; a discarded one first. */
export async function measureAtOnce(note: Print): Promise<readonly AtOnce[]> {
  const seen: AtOnce[] = [];
  for (const { name, work } of listWorks()) {
    const runs = { whole: [] as Blocks[], sliced: [] as Blocks[] };
    for (let run = 0; run <= RUNS; run++) {
      const whole = await watchLoop(await work(inOnePiece));
      const sliced = await watchLoop(await work(undefined));
      if (run === 0) continue;
      runs.whole.push(whole);
      runs.sliced.push(sliced);
    }
    note(name);
    seen.push({ name, whole: middleOf(runs.whole), sliced: middleOf(runs.sliced) });
  }
  return seen;
}

export function printAtOnce(seen: readonly AtOnce[], print: Print): boolean {
  print('');
  print(`What is brought at once, in one piece and in slices: the longest block of the event loop, median of ${RUNS}.`);
  print('Processor time is that of all threads, with the collector of garbage and the compiler.');
  print('');
  print(
    '| work | in one piece: all | longest block (processor) | in slices: all | longest block (processor) | to one piece |',
  );
  print('|---|---|---|---|---|---|');
  const blockOf = ({ wallMs, cpuMs }: Blocks): string => `${formatNumber(wallMs)} ms (${formatNumber(cpuMs)} ms)`;
  for (const { name, whole, sliced } of seen)
    print(
      `| ${name} | ${formatNumber(whole.totalMs)} ms | ${blockOf(whole)} | ${formatNumber(sliced.totalMs)} ms | ${blockOf(sliced)} | ${(sliced.cpuMs / whole.cpuMs).toFixed(2)} |`,
    );
  const worst = Math.max(...seen.map(({ sliced }) => sliced.cpuMs));
  print('');
  print(
    `The longest block takes ${formatNumber(worst)} ms of processor time; the bar is ${MOST_BLOCK_MS} ms: ${formatVerdict(worst <= MOST_BLOCK_MS)}.`,
  );
  return worst <= MOST_BLOCK_MS;
}
