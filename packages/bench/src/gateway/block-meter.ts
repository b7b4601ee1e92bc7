import { openSync, readSync } from 'node:fs';
import { type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks';

/** A time in which the event loop came to nothing else, in milliseconds. */
export interface Block {
  readonly ms: number;
  /** The thread's own processor time in it. Not a number where the system does not tell. */
  readonly ownMs: number;
  /** How long the thread was ready and others had the processors. */
  readonly waitMs: number;
  /** How long the collector of garbage held the thread, with or without a processor for it. */
  readonly gcMs: number;
}

export interface BlockMeter {
  /** The longest block, and the one with the most time of its own, since it was last asked or reset. */
  take(): { readonly longest: Block; readonly mostOwn: Block };
  /** What went on until now counts for nothing. */
  reset(): void;
}

/** A block is told too long by no more than this. */
const TICK_MS = 2;
/** Shorter ones are not looked at. */
const LEAST_MS = 8;
const NO_BLOCK: Block = { ms: 0, ownMs: 0, waitMs: 0, gcMs: 0 };

interface Span {
  readonly at: number;
  readonly ms: number;
}

/** Looks at the loop of this thread, which has to be the process's main one, every two milliseconds. */
export function startBlockMeter(): BlockMeter {
  const readThread = openThreadTimes();
  let pauses: Span[] = [];
  let blocks: (Span & Omit<Block, 'gcMs'>)[] = [];
  const notePauses = (entries: readonly PerformanceEntry[]): void => {
    for (const { startTime, duration } of entries) pauses.push({ at: startTime, ms: duration });
  };
  const observer = new PerformanceObserver((list) => notePauses(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });

  let last = performance.now();
  let before = readThread();
  function tick(): void {
    const now = performance.now();
    const times = readThread();
    if (now - last >= LEAST_MS)
      blocks.push({ at: last, ms: now - last, ownMs: times.own - before.own, waitMs: times.wait - before.wait });
    last = now;
    before = times;
  }
  setInterval(tick, TICK_MS).unref();

  function reset(): void {
    tick();
    observer.takeRecords();
    pauses = [];
    blocks = [];
  }
  return {
    take() {
      tick();
      notePauses(observer.takeRecords());
      const all = blocks.map(
        ({ at, ms, ownMs, waitMs }): Block => ({ ms, ownMs, waitMs, gcMs: sumInside(pauses, at, at + ms) }),
      );
      reset();
      const longest = all.reduce((most, one) => (one.ms > most.ms ? one : most), NO_BLOCK);
      return { longest, mostOwn: all.reduce((most, one) => (one.ownMs > most.ownMs ? one : most), longest) };
    },
    reset,
  };
}

const sumInside = (spans: readonly Span[], from: number, to: number): number =>
  spans.reduce((sum, { at, ms }) => sum + Math.max(0, Math.min(at + ms, to) - Math.max(at, from)), 0);

/** What Linux's scheduler tells of the main thread: nanoseconds on a processor, and waiting for one. */
function openThreadTimes(): () => { readonly own: number; readonly wait: number } {
  const bytes = Buffer.alloc(100);
  let file: number | undefined;
  try {
    file = openSync('/proc/self/schedstat', 'r');
  } catch {
    file = undefined;
  }
  return () => {
    if (file === undefined) return { own: Number.NaN, wait: Number.NaN };
    const length = readSync(file, bytes, 0, bytes.length, 0);
    const [own = Number.NaN, wait = Number.NaN] = bytes.toString('latin1', 0, length).split(' ').map(Number);
    return { own: own / 1e6, wait: wait / 1e6 };
  };
}
