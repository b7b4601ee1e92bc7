import { createSession, partText, type Session } from '@palimpsest/core';
import type { Bench } from '../bench.ts';
import { findMedian, formatNumber, formatVerdict } from '../figures.ts';
import { makeRound, newWriter, timeMs } from '../made-up-rounds.ts';

const MEGABYTES = [1, 10, 50] as const;
const QUERIES = 20;
/** The bars: a search against one plain pass over the same text, and what is kept for it. */
const MOST_SCANS = 3;
const MOST_BYTES = 1.5;

interface Row {
  readonly megabytes: number;
  readonly indexMs: number;
  readonly appendUs: number;
  readonly searchMs: number;
  readonly scanMs: number;
  readonly bytesPerChar: number;
}

/** The cheapest search there is: all words somewhere in a message, without order. */
function scanPlainly(texts: readonly string[], query: string): number {
  const words = query.toLowerCase().split(' ');
  let found = 0;
  for (const text of texts) {
    const lower = text.toLowerCase();
    if (words.every((word) => lower.includes(word))) found++;
  }
  return found;
}

function readMemory(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function measure(megabytes: number): Row {
  const write = newWriter(megabytes);
  const session: Session = createSession({ window: 1_000_000_000, layers: [] });
  let chars = 0;
  for (let number = 0; chars < megabytes * 1_000_000; number++)
    for (const message of makeRound(number, write)) {
      session.append(message);
      chars += message.parts.reduce((sum, part) => sum + partText(part).length, 0);
    }
  const ask = (): string => write(40).split(' ').slice(0, 6).join(' ');
  const before = readMemory();
  const indexMs = timeMs(() => session.recall.search('nothing'));
  const kept = readMemory() - before;
  const searches = Array.from({ length: QUERIES }, ask);
  const texts = session.transcript().map(({ parts }) => parts.map(partText).join('\n'));
  const searchMs = findMedian(searches.map((query) => timeMs(() => session.recall.search(query, 10))));
  const scanMs = findMedian(searches.map((query) => timeMs(() => scanPlainly(texts, query))));
  // What came since the last search is read at the next one.
  const appended = Array.from({ length: QUERIES }, (_, i) => {
    for (const message of makeRound(1_000_000 + i, write)) session.append(message);
    const look = (): unknown => session.recall.search('', { file: 'none' });
    return timeMs(look) - timeMs(look);
  });
  return {
    megabytes,
    indexMs,
    appendUs: Math.max(0, findMedian(appended)) * 1_000,
    searchMs,
    scanMs,
    bytesPerChar: kept / chars,
  };
}

/** What a search costs against the size of the transcript: the first one, which reads all of it, and the others. */
export const searchBench: Bench<readonly Row[]> = {
  name: 'search',
  async run() {
    measure(1);
    return MEGABYTES.map(measure);
  },
  print(rows, print) {
    print(
      '| transcript | first search (reads all) | a search | one plain pass | search ÷ pass | a round more | kept ÷ text |',
    );
    print('|---|---|---|---|---|---|---|');
    for (const { megabytes, indexMs, searchMs, scanMs, appendUs, bytesPerChar } of rows)
      print(
        `| ${megabytes} MB | ${formatNumber(indexMs)} ms | ${searchMs.toFixed(1)} ms | ${scanMs.toFixed(1)} ms | ${(searchMs / scanMs).toFixed(2)}× | ${formatNumber(appendUs)} µs | ${bytesPerChar.toFixed(2)}× |`,
      );
    const largest = rows.at(-1);
    if (largest === undefined) return false;
    const isMet = largest.searchMs / largest.scanMs <= MOST_SCANS && largest.bytesPerChar <= MOST_BYTES;
    print('');
    print(
      `Bars: a search takes no more than ${MOST_SCANS} plain passes, its index ${MOST_BYTES} bytes a character: ${formatVerdict(isMet)}.`,
    );
    return isMet;
  },
};
