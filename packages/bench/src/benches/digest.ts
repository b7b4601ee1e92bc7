import { loadavg } from 'node:os';
import type { Bench } from '../bench.ts';
import { bundleProgram, type FreshProcess } from '../digest/fresh-process.ts';
import type { DigestMeasured, SearchMeasured, Took } from '../digest/measured.ts';
import { findMedian, formatNumber, formatVerdict } from '../figures.ts';

const MEGABYTES = [0.1, 1, 10, 40] as const;
/** So many fresh processes each; fewer of the largest, which take long to be made. */
const TIMES = { most: 5, atLargest: 3 };
/** The bars, at the largest size: reading against the first search, which reads the same, and one round more against reading all. */
const MOST_SEARCHES = 3;
const MOST_OF_ALL = 0.1;
/** What a megabyte more costs, against one of the size before it: neither reading nor searching grows faster than the transcript. */
const MOST_GROWTH = 1.3;
/** What is aimed at; no bar, for it hangs on the machine. */
const GOAL = { megabytes: 10, wallMs: 1_000 };

interface Row {
  readonly megabytes: number;
  readonly parse: Took;
  readonly read: Took;
  readonly write: Took;
  readonly roundMs: number;
  readonly first: Took;
  readonly searchMs: number;
}

interface Seen {
  readonly rows: readonly Row[];
  /** How many programs wanted to run meanwhile. */
  readonly load: number;
}

const findMiddle = (all: readonly Took[]): Took => ({
  wallMs: findMedian(all.map((one) => one.wallMs)),
  cpuMs: findMedian(all.map((one) => one.cpuMs)),
});

async function measure(program: FreshProcess, megabytes: number): Promise<Row> {
  const digests: DigestMeasured[] = [];
  const searches: SearchMeasured[] = [];
  const times = megabytes > GOAL.megabytes ? TIMES.atLargest : TIMES.most;
  for (let n = 0; n < times; n++) {
    digests.push(await program.run<DigestMeasured>('digest', String(megabytes)));
    searches.push(await program.run<SearchMeasured>('search', String(megabytes)));
  }
  return {
    megabytes,
    parse: findMiddle(digests.map(({ parse }) => parse)),
    read: findMiddle(digests.map(({ read }) => read)),
    write: findMiddle(digests.map(({ write }) => write)),
    roundMs: findMedian(digests.map(({ roundMs }) => roundMs)),
    first: findMiddle(searches.map(({ first }) => first)),
    searchMs: findMedian(searches.map(({ searchMs }) => searchMs)),
  };
}

const show = ({ wallMs, cpuMs }: Took): string => `${formatNumber(wallMs)} / ${formatNumber(cpuMs)} ms`;

/** How much dearer a megabyte is at the larger of two sizes. */
const findGrowth = (pick: (row: Row) => number, [small, large]: readonly [Row, Row]): number =>
  pick(large) / large.megabytes / (pick(small) / small.megabytes);

/** What a digest costs against the size of the transcript: reading it all, writing, and one round more. */
export const digestBench: Bench<Seen> = {
  name: 'digest',
  async run() {
    const program = await bundleProgram('./digest-process.ts');
    try {
      const rows: Row[] = [];
      for (const megabytes of MEGABYTES) rows.push(await measure(program, megabytes));
      return { rows, load: loadavg()[1] ?? Number.NaN };
    } finally {
      await program.remove();
    }
  },
  print({ rows, load }, print) {
    print(
      `Medians of ${TIMES.most} fresh processes (${TIMES.atLargest} at the largest), by the clock / of all processors; load of the machine over five minutes: ${load.toFixed(1)}.`,
    );
    print('');
    print(
      '| transcript | `JSON.parse` of it | digest: reads all | writes 4,000 tokens | a round more | first search (reads all) | a search | read ÷ parse | read ÷ search |',
    );
    print('|---|---|---|---|---|---|---|---|---|');
    for (const { megabytes, parse, read, write, roundMs, first, searchMs } of rows)
      print(
        `| ${megabytes} MB | ${show(parse)} | ${show(read)} | ${show(write)} | ${Math.max(0, roundMs).toFixed(1)} ms | ${show(first)} | ${searchMs.toFixed(1)} ms | ${(read.cpuMs / parse.cpuMs).toFixed(1)}× | ${(read.cpuMs / first.cpuMs).toFixed(2)}× |`,
      );
    const [smaller, largest] = rows.slice(-2);
    const goal = rows.find(({ megabytes }) => megabytes === GOAL.megabytes);
    if (smaller === undefined || largest === undefined || goal === undefined) return false;
    const growths = [({ read }: Row) => read.cpuMs, ({ first }: Row) => first.cpuMs, (row: Row) => row.searchMs].map(
      (pick) => findGrowth(pick, [smaller, largest]),
    );
    const isMet =
      largest.read.cpuMs / largest.first.cpuMs <= MOST_SEARCHES &&
      largest.roundMs / largest.read.cpuMs <= MOST_OF_ALL &&
      growths.every((growth) => growth <= MOST_GROWTH);
    const wallMs = goal.read.wallMs + goal.write.wallMs;
    print('');
    print(
      `${GOAL.megabytes} MB read and digested by the clock: ${formatNumber(wallMs)} ms; the aim is ${formatNumber(GOAL.wallMs)} ms: ${formatVerdict(wallMs <= GOAL.wallMs)}.`,
    );
    print(
      `A megabyte at ${largest.megabytes} MB against one at ${smaller.megabytes} MB, of processors: digest, first search, a search ${growths.map((growth) => `${growth.toFixed(2)}×`).join(', ')}.`,
    );
    print(
      `Bars: reading takes no more than ${MOST_SEARCHES} first searches, a round more no more than ${100 * MOST_OF_ALL} % of reading all, a megabyte no more than ${MOST_GROWTH}× at the largest size: ${formatVerdict(isMet)}.`,
    );
    return isMet;
  },
};
