/** A process that makes a transcript of so many megabytes, measures one thing on it, and prints what it saw. */
import { createSession, estimateText, type Message, partText, type Session } from '@palimpsest/core';
import { writeDigest } from '../../../core/src/digest/digest.ts';
import { newReader } from '../../../core/src/digest/reader.ts';
import { findMedian } from '../figures.ts';
import { makeRound, newWriter, timeMs } from '../made-up-rounds.ts';
import type { DigestMeasured, SearchMeasured, Took } from './measured.ts';

const TIMES = 5;
const DIGEST_TOKENS = 4_000;
const NAMES = 30_000;

type Write = (chars: number) => string;

/** A transcript of so many characters. */
function makeTranscript(megabytes: number, write: Write): Session {
  const session = createSession({ window: 1_000_000_000, layers: [] });
  for (let number = 0, chars = 0; chars < megabytes * 1_000_000; number++)
    for (const message of makeRound(number, write)) {
      session.append(message);
      chars += message.parts.reduce((sum, part) => sum + partText(part).length, 0);
    }
  return session;
}

function measureOnce<Result>(act: () => Result): Took & { readonly result: Result } {
  // What was made before is not collected on its account.
  globalThis.gc?.();
  const start = performance.now();
  let result: Result | undefined;
  const cpuMs = timeMs(() => {
    result = act();
  });
  return { wallMs: performance.now() - start, cpuMs, result: result as Result };
}

const repeat = (act: () => unknown): number => findMedian(Array.from({ length: TIMES }, () => timeMs(act)));

function measureDigest(messages: readonly Message[], write: Write): DigestMeasured {
  const json = JSON.stringify(messages);
  const reader = newReader();
  const { result: _, ...read } = measureOnce(() => reader.read(messages));
  const { result: __, ...written } = measureOnce(() =>
    writeDigest(reader, { maxTokens: DIGEST_TOKENS, countText: estimateText }),
  );
  const roundMs = findMedian(
    Array.from({ length: 3 * TIMES }, (_, n) => {
      const round = makeRound(n, write).map(
        (message, i): Message => ({ origin: 'model', ...message, id: `m${n}-${i}` }),
      );
      return timeMs(() => reader.read(round));
    }),
  );
  const { result: ___, ...parse } = measureOnce(() => JSON.parse(json));
  return { parse, read, write: written, roundMs };
}

function measureSearch({ recall }: Session, write: Write): SearchMeasured {
  const { result: _, ...first } = measureOnce(() => recall.search('nothing'));
  return { first, searchMs: repeat(() => recall.search(write(40), 10)) };
}

const [what = '', megabytes = ''] = process.argv.slice(2);
const write = newWriter(7, NAMES);
const session = makeTranscript(Number(megabytes), write);
const measured = what === 'search' ? measureSearch(session, write) : measureDigest(session.transcript(), write);
console.log(JSON.stringify(measured));
