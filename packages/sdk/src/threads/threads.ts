import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { type Remote, startThread, type Thread } from './thread.ts';

export { ThreadLostError } from './thread.ts';

/** A thread that was lost, and why. Its place is taken by a new one, which begins with nothing in memory. */
export interface ThreadLoss {
  readonly thread: number;
  readonly why: string;
}

/** How many threads, and what they run. */
export interface ThreadsOptions {
  /** The module that calls `serveThread`. */
  readonly file: URL;
  readonly count: number;
  /** What each gets as `workerData`. */
  readonly data: unknown;
  readonly onLost?: (loss: ThreadLoss) => void;
}

/** Worker threads that serve the same methods, each for its share of the keys. */
export interface Threads<Methods> {
  readonly all: readonly Remote<Methods>[];
  /** The same key is always the same thread's. */
  of(key: string): Remote<Methods>;
  /** How many were lost so far. */
  readonly replaced: number;
  readonly ids: readonly (number | undefined)[];
  /** Ends them at once. What they were asked and have not answered fails. */
  end(): Promise<void>;
}

const MB = 2 ** 20;

/** Starts them. Together they may take as much memory as one thread may. */
export function startThreads<Methods>({ file, count, data, onLost }: ThreadsOptions): Threads<Methods> {
  const heapMb = Math.max(LEAST_HEAP_MB, Math.floor(getHeapStatistics().heap_size_limit / MB / count));
  let replaced = 0;
  const threads = Array.from({ length: count }, (_, thread) =>
    startThread({
      file,
      data,
      heapMb,
      onLost(why) {
        replaced++;
        onLost?.({ thread, why });
      },
    }),
  );
  const all = threads.map((thread) => remoteOf<Methods>(thread));
  return {
    all,
    of: (key) => all[createHash('sha256').update(key).digest().readUInt32BE(0) % count] as Remote<Methods>,
    get replaced() {
      return replaced;
    },
    get ids() {
      return threads.map(({ id }) => id);
    },
    async end() {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

const LEAST_HEAP_MB = 512;

const remoteOf = <Methods>(thread: Thread): Remote<Methods> =>
  new Proxy(
    {},
    { get: (_, method) => (method === 'then' ? undefined : (...args: unknown[]) => thread.call(String(method), args)) },
  ) as Remote<Methods>;
