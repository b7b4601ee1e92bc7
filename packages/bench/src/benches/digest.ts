import { createSession, type Digest, digest, type Message, partText, type Session } from '@palimpsest/core';
import type { Bench } from '../bench.ts';
import { findMedian, formatNumber, formatVerdict } from '../figures.ts';
import { makeRound, newWriter, timeMs } from '../made-up-rounds.ts';

const MEGABYTES = [0.1, 1, 10, 40] as const;
const TIMES = 9;
const DIGEST_TOKENS = 4_000;
const NAMES = 30_000;
/** The bars, at the largest size: reading against the first search, which reads the same, and one round more against reading all. */
const MOST_SEARCHES = 3;
const MOST_OF_ALL = 0.1;
/** What a megabyte more costs, against one of the size before it: neither reading nor searching grows faster than the transcript. */
const MOST_GROWTH = 1.3;

interface Row {
  readonly megabytes: number;
  readonly parseMs: number;
  readonly indexMs: number;
  readonly searchMs: number;
  readonly readMs: number;
  readonly writeMs: number;
  readonly roundMs: number;
}

/** A transcript of so many characters. */
function makeTranscript(megabytes: number, write: (chars: number) => string): Session {
  const session = createSession({ window: 1_000_000_000, layers: [] });
  for (let number = 0, chars = 0; chars < megabytes * 1_000_000; number++)
    for (const message of makeRound(number, write)) {
      session.append(message);
      chars += message.parts.reduce((sum, part) => sum + partText(part).length, 0);
    }
  return session;
}

function measure(megabytes: number): Row {
  const write = newWriter(7, NAMES);
  const session = makeTranscript(megabytes, write);
  const messages = session.transcript();
  const json = JSON.stringify(messages);
  const repeat = (times: number, act: () => unknown): number =>
    findMedian(Array.from({ length: times }, () => timeMs(act)));
  const times = megabytes < 10 ? TIMES : 3;
  const parseMs = repeat(times, () => JSON.parse(json));
  const indexMs = timeMs(() => session.recall.search('nothing'));
  const searchMs = repeat(TIMES, () => session.recall.search(write(40), 10));
  let read: Digest | undefined;
  // The smallest digest is hardly written at all.
  const readMs = repeat(times, () => {
    read = digest(messages, { maxTokens: 16 });
  });
  const previous = read?.evidence;
  const write4k = (more: readonly Message[]): Digest =>
    digest(more, { maxTokens: DIGEST_TOKENS, ...(previous === undefined ? {} : { previous }) });
  const writeMs = repeat(TIMES, () => write4k([]));
  const round = makeRound(0, write).map((message, i): Message => ({ origin: 'model', ...message, id: `more${i}` }));
  const roundMs = repeat(TIMES, () => write4k(round)) - writeMs;
  return { megabytes, parseMs, indexMs, searchMs, readMs, writeMs, roundMs };
}

/** How much dearer a megabyte is at the larger of two sizes. */
const findGrowth = (pick: (row: Row) => number, [small, large]: readonly [Row, Row]): number =>
  pick(large) / large.megabytes / (pick(small) / small.megabytes);

/** What a digest costs against the size of the transcript: reading it all, writing, and one round more. */
export const digestBench: Bench<readonly Row[]> = {
  name: 'digest',
  async run() {
    measure(1);
    return MEGABYTES.map(measure);
  },
  print(rows, print) {
    print(
      '| transcript | `JSON.parse` of it | first search (reads all) | a search | digest: reads all | read ÷ parse | read ÷ search | writes 4,000 tokens | a round more |',
    );
    print('|---|---|---|---|---|---|---|---|---|');
    for (const { megabytes, parseMs, indexMs, searchMs, readMs, writeMs, roundMs } of rows)
      print(
        `| ${megabytes} MB | ${parseMs.toFixed(1)} ms | ${formatNumber(indexMs)} ms | ${searchMs.toFixed(1)} ms | ${formatNumber(readMs)} ms | ${(readMs / parseMs).toFixed(1)}× | ${(readMs / indexMs).toFixed(2)}× | ${formatNumber(writeMs)} ms | ${Math.max(0, roundMs).toFixed(1)} ms |`,
      );
    const [smaller, largest] = rows.slice(-2);
    if (smaller === undefined || largest === undefined) return false;
    const growths = [({ readMs }: Row) => readMs, ({ indexMs }: Row) => indexMs, ({ searchMs }: Row) => searchMs].map(
      (pick) => findGrowth(pick, [smaller, largest]),
    );
    const isMet =
      largest.readMs / largest.indexMs <= MOST_SEARCHES &&
      largest.roundMs / largest.readMs <= MOST_OF_ALL &&
      growths.every((growth) => growth <= MOST_GROWTH);
    print('');
    print(
      `A megabyte at ${largest.megabytes} MB against one at ${smaller.megabytes} MB: digest, first search, a search ${growths.map((growth) => `${growth.toFixed(2)}×`).join(', ')}.`,
    );
    print(
      `Bars: reading takes no more than ${MOST_SEARCHES} first searches, a round more no more than ${100 * MOST_OF_ALL} % of reading all, a megabyte no more than ${MOST_GROWTH}× at the largest size: ${formatVerdict(isMet)}.`,
    );
    return isMet;
  },
};
