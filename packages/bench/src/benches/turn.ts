import { budget, createSession, type Message, partText, plan, type Session } from '@palimpsest/core';
import type { Bench } from '../bench.ts';
import { traffic } from '../traffic.ts';

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

interface Row {
  readonly size: Size;
  readonly turnUs: readonly number[];
  readonly naiveUs: readonly number[];
  readonly viewMessages: number;
  readonly memory: { readonly heapBytes: number; readonly textBytes: number };
}

const now = (): number => performance.now() * 1_000;
const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);
const quantile = (values: readonly number[], share: number): number =>
  ascending(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Twice: what the first collection only made unreachable goes with the second. */
function heapUsed(): number {
  globalThis.gc!();
  globalThis.gc!();
  return process.memoryUsage().heapUsed;
}

const textBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + message.parts.reduce((all, part) => all + partText(part).length, 0), 0);

/** Grows a session up to the end of a size's stretch and times the turns within it. */
async function grow(
  session: Session,
  size: Size,
  seed: number,
): Promise<{ turnUs: number[]; last: readonly Message[] }> {
  const turnUs: number[] = [];
  let last: readonly Message[] = [];
  let appended = 0;
  for (const messages of traffic(seed)) {
    const start = now();
    for (const message of messages) session.append(message);
    const view = await session.view();
    const took = now() - start;
    appended += messages.length;
    if (appended >= size.messages - size.around) turnUs.push(took);
    last = view.messages;
    if (appended >= size.messages + size.around) break;
  }
  return { turnUs, last };
}

/** What a host without a session does: hand everything to `plan` again before every call. */
function naive(session: Session, shown: readonly Message[], runs: number): readonly number[] {
  const transcript = session.transcript();
  const ledger = session.ledger();
  const options = { budget: budget({ window: WINDOW }) };
  return Array.from({ length: runs }, () => {
    const start = now();
    const made = plan(transcript, ledger, options);
    const took = now() - start;
    if (JSON.stringify(made.view) !== JSON.stringify(shown))
      throw new Error('plan() and the session disagree on a view');
    return took;
  });
}

async function measure(size: Size): Promise<Row> {
  const turnUs: number[] = [];
  for (let seed = 1; seed < size.sessions; seed++)
    turnUs.push(...(await grow(createSession({ window: WINDOW }), size, seed)).turnUs);
  const before = heapUsed();
  const session = createSession({ window: WINDOW });
  const grown = await grow(session, size, size.sessions);
  turnUs.push(...grown.turnUs);
  const shown = grown.last;
  const viewMessages = shown.length;
  const naiveUs = naive(session, shown, size.naiveRuns);
  const heapBytes = heapUsed() - before;
  return { size, turnUs, naiveUs, viewMessages, memory: { heapBytes, textBytes: textBytes(session.transcript()) } };
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const cells = (values: readonly string[]): string =>
  values.map((value, i) => (i === 0 ? value.padStart(9) : value.padStart(COLUMNS[i]!))).join('');
const COLUMNS = [9, 8, 12, 11, 9, 9, 16, 8] as const;

function rowText(row: Row, reference: Row): string {
  const typical = median(row.turnUs);
  return cells([
    whole(row.size.messages),
    whole(row.turnUs.length),
    `${whole(typical)} µs`,
    `${whole(quantile(row.turnUs, 0.95))} µs`,
    `${(typical / median(reference.turnUs)).toFixed(2)}×`,
    whole(row.viewMessages),
    `${whole(median(row.naiveUs))} µs`,
    `${whole(median(row.naiveUs) / typical)}×`,
  ]);
}

export const turnBench: Bench = async (print) => {
  if (globalThis.gc === undefined) throw new Error('memory cannot be measured: start it with npm run bench -- turn');
  print(`One turn: what was said since the last model call is appended, then the view is made.`);
  print(`Window ${whole(WINDOW)} tokens, default preset, no journal. Node ${process.version}.`);
  print(`Naive: plan() over the whole transcript and ledger, as a host without a session would.`);
  print('');
  print(cells(['messages', 'turns', 'median', 'p95', 'growth', 'in view', 'naive median', 'slower']));
  // A discarded run first: the small sizes must not pay for the compiler.
  await grow(createSession({ window: WINDOW }), { messages: 3_000, around: 0, sessions: 1, naiveRuns: 0 }, 99);
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(await measure(size));
  const reference = rows.find((row) => row.size.messages === REFERENCE)!;
  for (const row of rows) print(rowText(row, reference));

  print('');
  print('Memory of the session with its transcript: heap after collection, less the heap before the session was made.');
  print('Text: characters of all parts; all of them are Latin-1 here, which V8 keeps in one byte each.');
  print('');
  // Below the reference size the heap's own noise is larger than the session.
  for (const { size, memory } of rows.filter((row) => row.size.messages >= REFERENCE))
    print(
      cells([whole(size.messages), '', megabytes(memory.heapBytes), megabytes(memory.textBytes)]) +
        `${(memory.heapBytes / memory.textBytes).toFixed(2)}×`.padStart(9),
    );

  const largest = rows.at(-1)!;
  const growth = median(largest.turnUs) / median(reference.turnUs);
  const memory = largest.memory.heapBytes / largest.memory.textBytes;
  const verdict = (met: boolean): string => (met ? 'met' : 'MISSED');
  print('');
  print(
    `A turn at 50,000 messages costs ${growth.toFixed(2)}× one at 1,000; the bar is ${MOST_GROWTH}×: ${verdict(growth <= MOST_GROWTH)}.`,
  );
  print(`Memory is ${memory.toFixed(2)}× the text; the bar is ${MOST_MEMORY}×: ${verdict(memory <= MOST_MEMORY)}.`);
  return growth <= MOST_GROWTH && memory <= MOST_MEMORY;
};
