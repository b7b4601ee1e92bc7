import { assistant, call, createSession, type NewMessage, result, results, text, user } from '@palimpsest/core';
import type { Bench, Print } from '../bench.ts';
import { findMedian, formatNumber, formatVerdict } from '../figures.ts';

/** From 100 parts on the message does not fit and has to be cut or hidden. */
const WINDOW = 60_000;
const COUNTS = [1, 10, 100, 1_000, 2_000] as const;
/** Growth is held against the row that is large enough to be compacted, and small enough to be cheap. */
const REFERENCE = 100;
/** What a part may cost at the largest count, against one at the reference. */
const MOST_GROWTH = 3;
const RUNS = 3;

const output = (i: number): string => `result ${i} ${'x '.repeat(700)}`;
const list = <One>(count: number, make: (i: number) => One): One[] => Array.from({ length: count }, (_, i) => make(i));

/** The same content in one message, and in as many messages as it has parts. */
interface Shape {
  readonly name: string;
  together(count: number): readonly NewMessage[];
  apart(count: number): readonly NewMessage[];
}

const SHAPES: readonly Shape[] = [
  {
    name: 'calls with results',
    together: (count) => [
      assistant(list(count, (i) => call(`c${i}`, 'bash', { i }))),
      results(list(count, (i) => result(`c${i}`, output(i)))),
    ],
    apart: (count) =>
      list(count, (i) => [assistant([call(`c${i}`, 'bash', { i })]), results([result(`c${i}`, output(i))])]).flat(),
  },
  {
    name: 'texts of the user',
    together: (count) => [user(list(count, (i) => text(output(i))))],
    apart: (count) => list(count, (i) => user(output(i))),
  },
];

interface Row {
  readonly shape: string;
  readonly count: number;
  readonly togetherMs: number;
  readonly apartMs: number;
}

/** Appends and makes the first view, which is where a message that does not fit is cut. */
async function timeView(messages: readonly NewMessage[]): Promise<number> {
  const session = createSession({ window: WINDOW });
  const start = performance.now();
  session.append(user('go'));
  for (const message of messages) session.append(message);
  const { fits } = await session.view();
  const took = performance.now() - start;
  if (!fits) throw new Error('a view does not fit its window');
  return took;
}

async function measureRow(shape: Shape, count: number): Promise<Row> {
  const times = { together: [] as number[], apart: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    times.together.push(await timeView(shape.together(count)));
    times.apart.push(await timeView(shape.apart(count)));
  }
  return { shape: shape.name, count, togetherMs: findMedian(times.together), apartMs: findMedian(times.apart) };
}

/** What a part of the row costs, against one of the reference row of its shape. */
function measureGrowth(rows: readonly Row[], row: Row): number {
  const reference = rows.find((one) => one.shape === row.shape && one.count === REFERENCE) ?? row;
  return row.togetherMs / row.count / (reference.togetherMs / reference.count);
}

export const partsBench: Bench<readonly Row[]> = {
  name: 'parts',
  async run() {
    // A discarded run first: no row should pay for the compiler.
    for (const shape of SHAPES) await measureRow(shape, 200);
    const rows: Row[] = [];
    for (const shape of SHAPES) for (const count of COUNTS) rows.push(await measureRow(shape, count));
    return rows;
  },
  print(rows, print) {
    printRows(rows, print);
    const most = Math.max(...rows.filter((row) => row.count > REFERENCE).map((row) => measureGrowth(rows, row)));
    const isMet = most <= MOST_GROWTH;
    print('');
    print(
      `A part costs at most ${most.toFixed(2)}× what one of ${REFERENCE} costs; the bar is ${MOST_GROWTH}×: ${formatVerdict(isMet)}.`,
    );
    return isMet;
  },
};

function printRows(rows: readonly Row[], print: Print): void {
  print('The first view of a session whose newest message has very many parts: appended, then cut to its window.');
  print(`Window ${formatNumber(WINDOW)} tokens, default preset, median of ${RUNS}. Node ${process.version}.`);
  print('Apart: the same content with one part to a message.');
  print('');
  print('parts in one message           view     per part   growth       apart');
  for (const row of rows)
    print(
      [
        `${formatNumber(row.count).padStart(6)} ${row.shape.padEnd(20)}`,
        `${row.togetherMs.toFixed(1)} ms`.padStart(8),
        `${formatNumber((row.togetherMs / row.count) * 1_000)} µs`.padStart(12),
        `${measureGrowth(rows, row).toFixed(2)}×`.padStart(8),
        `${row.apartMs.toFixed(1)} ms`.padStart(11),
      ].join(' '),
    );
}
