import { budget, createSession, type Message, partText, plan, type Session } from '@palimpsest/core';
import type { Bench, Print } from '../bench.ts';
import { findMedian, findQuantile, formatNumber, formatVerdict } from '../figures.ts';
import { makeTraffic } from '../traffic.ts';
import { type Blocks, turnLoop, watchLoop } from '../watch-loop.ts';

const WINDOW = 200_000;
/** The bars: what a turn may cost at the largest size against the reference size, and memory against text. */
const MOST_GROWTH = 3;
const MOST_MEMORY = 2.5;
const REFERENCE = 1_000;

interface Size {
  readonly messages: number;
  /** Turns are timed from `messages - around` to `messages + around`. */
  readonly around: number;
  /** Small sizes have few turns around them: more sessions make up for it. */
  readonly sessions: number;
  readonly naiveRuns: number;
}

const SIZES: readonly Size[] = [
  { messages: 100, around: 40, sessions: 12, naiveRuns: 30 },
  { messages: 1_000, around: 250, sessions: 3, naiveRuns: 15 },
  { messages: 10_000, around: 500, sessions: 1, naiveRuns: 3 },
  { messages: 50_000, around: 500, sessions: 1, naiveRuns: 1 },
];

/** A turn that held the event loop up for longer than this is looked at. */
const LONG_US = 50_000;

/** A long turn. */
interface LongTurn {
  readonly us: number;
  /** The layers that changed the view in it. */
  readonly layers: readonly string[];
}

interface Row {
  readonly size: Size;
  readonly turnUs: readonly number[];
  readonly long: readonly LongTurn[];
  readonly blocks: Blocks;
  readonly naiveUs: readonly number[];
  readonly viewMessages: number;
  readonly memory: { readonly heapBytes: number; readonly textBytes: number };
}

const readMicroseconds = (): number => performance.now() * 1_000;

/** Twice: what the first collection only made unreachable goes with the second. */
function readHeapUsed(): number {
  globalThis.gc!();
  globalThis.gc!();
  return process.memoryUsage().heapUsed;
}

const countTextBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + message.parts.reduce((all, part) => all + partText(part).length, 0), 0);

/** Grows a session up to the end of a size's stretch and times the turns within it. */
async function growSession(
  session: Session,
  size: Size,
  seed: number,
): Promise<{ turnUs: number[]; long: LongTurn[]; last: readonly Message[] }> {
  const turnUs: number[] = [];
  const long: LongTurn[] = [];
  let last: readonly Message[] = [];
  let appended = 0;
  for (const messages of makeTraffic(seed)) {
    const start = readMicroseconds();
    for (const message of messages) session.append(message);
    const view = await session.view();
    const took = readMicroseconds() - start;
    appended += messages.length;
    if (appended >= size.messages - size.around) {
      turnUs.push(took);
      const layers = new Set(view.receipt?.lines.map((line) => line.layer));
      if (took > LONG_US) long.push({ us: took, layers: [...layers] });
    }
    last = view.messages;
    // Outside of what is timed: turns of an agent have a model call between them.
    await turnLoop();
    if (appended >= size.messages + size.around) break;
  }
  return { turnUs, long, last };
}

/** What a host without a session does: hand everything to `plan` again before every call. */
function timeNaivePlans(session: Session, shown: readonly Message[], runs: number): readonly number[] {
  const transcript = session.transcript();
  const ledger = session.ledger();
  const options = { budget: budget({ window: WINDOW }) };
  return Array.from({ length: runs }, () => {
    const start = readMicroseconds();
    const made = plan(transcript, ledger, options);
    const took = readMicroseconds() - start;
    if (JSON.stringify(made.view) !== JSON.stringify(shown))
      throw new Error('plan() and the session disagree on a view');
    return took;
  });
}

async function measureSize(size: Size): Promise<Row> {
  const turnUs: number[] = [];
  const long: LongTurn[] = [];
  for (let seed = 1; seed < size.sessions; seed++) {
    const grown = await growSession(createSession({ window: WINDOW }), size, seed);
    turnUs.push(...grown.turnUs);
    long.push(...grown.long);
  }
  const before = readHeapUsed();
  const session = createSession({ window: WINDOW });
  let grown: Awaited<ReturnType<typeof growSession>> | undefined;
  const blocks = await watchLoop(async () => {
    grown = await growSession(session, size, size.sessions);
  });
  turnUs.push(...(grown?.turnUs ?? []));
  long.push(...(grown?.long ?? []));
  const shown = grown?.last ?? [];
  const viewMessages = shown.length;
  const naiveUs = timeNaivePlans(session, shown, size.naiveRuns);
  const heapBytes = readHeapUsed() - before;
  return {
    size,
    turnUs,
    long,
    blocks,
    naiveUs,
    viewMessages,
    memory: { heapBytes, textBytes: countTextBytes(session.transcript()) },
  };
}

const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const formatCells = (values: readonly string[]): string =>
  values.map((value, i) => (i === 0 ? value.padStart(9) : value.padStart(COLUMNS[i]!))).join('');
const COLUMNS = [9, 8, 12, 11, 12, 12, 9, 9, 16, 8] as const;

function formatRow(row: Row, reference: Row): string {
  const typical = findMedian(row.turnUs);
  return formatCells([
    formatNumber(row.size.messages),
    formatNumber(row.turnUs.length),
    `${formatNumber(typical)} µs`,
    `${formatNumber(findQuantile(row.turnUs, 0.95))} µs`,
    `${formatNumber(findQuantile(row.turnUs, 0.99))} µs`,
    `${formatNumber(Math.max(...row.turnUs))} µs`,
    `${(typical / findMedian(reference.turnUs)).toFixed(2)}×`,
    formatNumber(row.viewMessages),
    `${formatNumber(findMedian(row.naiveUs))} µs`,
    `${formatNumber(findMedian(row.naiveUs) / typical)}×`,
  ]);
}

/** `npm run bench -- turn 10000` leaves the larger sizes out. */
export const turnBench: Bench<readonly Row[]> = {
  name: 'turn',
  async run([most = 'all']) {
    if (globalThis.gc === undefined) throw new Error('memory cannot be measured: start it with npm run bench -- turn');
    // A discarded run first: the small sizes must not pay for the compiler.
    await growSession(createSession({ window: WINDOW }), { messages: 3_000, around: 0, sessions: 1, naiveRuns: 0 }, 99);
    const rows: Row[] = [];
    for (const size of SIZES) if (most === 'all' || size.messages <= Number(most)) rows.push(await measureSize(size));
    return rows;
  },
  print(rows, print) {
    const reference = rows.find((row) => row.size.messages === REFERENCE);
    const largest = rows.at(-1);
    if (reference === undefined || largest === undefined) throw new Error('the sizes lack the reference');
    printTimes(rows, reference, print);
    printLong(rows, print);
    printMemory(rows, print);
    return printBars(largest, reference, print);
  },
};

function printTimes(rows: readonly Row[], reference: Row, print: Print): void {
  print(`One turn: what was said since the last model call is appended, then the view is made.`);
  print(`Window ${formatNumber(WINDOW)} tokens, default preset, no journal. Node ${process.version}.`);
  print(`Naive: plan() over the whole transcript and ledger, as a host without a session would.`);
  print('');
  print(
    formatCells([
      'messages',
      'turns',
      'median',
      'p95',
      'p99',
      'longest',
      'growth',
      'in view',
      'naive median',
      'slower',
    ]),
  );
  for (const row of rows) print(formatRow(row, reference));
}

/** Where the turns that hold the event loop up come from. */
function printLong(rows: readonly Row[], print: Print): void {
  print('');
  print(
    `Turns of more than ${LONG_US / 1_000} ms and the layers that changed the view in them; the longest block of the loop by the clock and of processor time, in all turns up to there:`,
  );
  for (const { size, turnUs, long, blocks } of rows) {
    const layers = new Map<string, number>();
    for (const { layers: names } of long)
      for (const name of names.length === 0 ? ['none'] : names) layers.set(name, (layers.get(name) ?? 0) + 1);
    const named = [...layers].map(([name, count]) => `${name} ${count}`).join(', ');
    print(
      `${formatCells([formatNumber(size.messages)])}: ${long.length} of ${turnUs.length}${named === '' ? '' : ` (${named})`}; ${formatNumber(blocks.wallMs)} ms, ${formatNumber(blocks.cpuMs)} ms`,
    );
  }
}

function printMemory(rows: readonly Row[], print: Print): void {
  print('');
  print('Memory of the session with its transcript: heap after collection, less the heap before the session was made.');
  print('Text: characters of all parts; all of them are Latin-1 here, which V8 keeps in one byte each.');
  print('');
  // Below the reference size the heap's own noise is larger than the session.
  for (const { size, memory } of rows.filter((row) => row.size.messages >= REFERENCE))
    print(
      formatCells([
        formatNumber(size.messages),
        '',
        formatMegabytes(memory.heapBytes),
        formatMegabytes(memory.textBytes),
      ]) + `${(memory.heapBytes / memory.textBytes).toFixed(2)}×`.padStart(9),
    );
}

function printBars(largest: Row, reference: Row, print: Print): boolean {
  const growth = findMedian(largest.turnUs) / findMedian(reference.turnUs);
  const memory = largest.memory.heapBytes / largest.memory.textBytes;
  print('');
  print(
    `A turn at ${formatNumber(largest.size.messages)} messages costs ${growth.toFixed(2)}× one at 1,000; the bar is ${MOST_GROWTH}×: ${formatVerdict(growth <= MOST_GROWTH)}.`,
  );
  print(
    `Memory is ${memory.toFixed(2)}× the text; the bar is ${MOST_MEMORY}×: ${formatVerdict(memory <= MOST_MEMORY)}.`,
  );
  return growth <= MOST_GROWTH && memory <= MOST_MEMORY;
}
