import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getEnvironmentData, setEnvironmentData, Worker } from 'node:worker_threads';
import { type FromThread, listTransfers, receiveError, SIGNAL, type ToThread } from './messages.ts';

/** The methods that a thread serves, as they are called from another one. */
export type Remote<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** A call went to a worker thread that ended before it answered, or that did not answer at all. */
export class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError';
  readonly code = 'thread-lost';
}

export interface ThreadOptions {
  /** The module that calls `serveThread`. */
  readonly file: URL;
  /** Its `workerData`. */
  readonly data: unknown;
  /** A thread that needs more memory than this ends; as Node sees fit without it. */
  readonly heapMb?: number | undefined;
  /** Called when it has ended by itself or hung, and another one takes its place. */
  readonly onLost: (why: string) => void;
}

/** One worker thread after the other: the next one begins when the last one is lost. */
export interface Thread {
  call(method: string, args: readonly unknown[]): Promise<unknown>;
  /** Ends it. What it was called for and has not answered fails. */
  end(): Promise<void>;
  /** Of the worker that runs now. */
  readonly id: number | undefined;
}

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly forget: () => void;
}

const PING_MS = 1_000;
/** A thread works on one thing at a time. The largest body of all takes a few seconds. */
const HANG_MS = 20_000;
/** After so many in a row that ended before they answered anything, the next one is not begun at once. */
const MOST_SILENT = 3;
const REST_MS = 2_000;

export function startThread(options: ThreadOptions): Thread {
  const calls = new Map<number, Call>();
  let lastId = 0;
  let worker: Worker | undefined;
  let id = 0;
  let failure: string | undefined;
  let restUntil = 0;
  let heardAt = 0;
  /** So many in a row ended before they answered anything. */
  let silent = 0;
  let pings: NodeJS.Timeout | undefined;
  let hasEnded = false;

  const failCalls = (why: string): void => {
    const failed = [...calls.values()];
    calls.clear();
    for (const { forget, reject } of failed) {
      forget();
      reject(new ThreadLostError(why));
    }
  };

  const lose = (lost: Worker, why: string): void => {
    if (worker !== lost) return;
    worker = undefined;
    noteEnded(id);
    clearInterval(pings);
    pings = undefined;
    if (++silent >= MOST_SILENT) restUntil = performance.now() + REST_MS;
    failCalls(why);
    if (!hasEnded) options.onLost(why);
  };

  const start = (): Worker => {
    if (performance.now() < restUntil) throw new ThreadLostError('worker threads end before they answer anything');
    const begun = openWorker(options);
    worker = begun;
    id = begun.threadId;
    failure = undefined;
    begun.unref();
    begun.on('message', (message: FromThread) => hear(begun, message));
    begun.on('error', (error: unknown) => {
      failure = `it failed: ${describe(error)}`;
    });
    begun.on('exit', (code) => lose(begun, failure ?? `it ended with ${code}`));
    return begun;
  };

  const hear = (from: Worker, message: FromThread): void => {
    if (from !== worker) return;
    heardAt = performance.now();
    if (message.type === 'alive') return;
    silent = 0;
    const call = calls.get(message.id);
    if (call === undefined) return;
    calls.delete(message.id);
    call.forget();
    if (calls.size === 0) from.unref();
    if (message.type === 'result') call.resolve(message.value);
    else call.reject(receiveError(message.error));
  };

  /** Asks again and again whether it is alive, until nobody waits for it: then it keeps no process alive. */
  const watch = (busy: Worker): void => {
    busy.ref();
    if (pings !== undefined) return;
    let askedAt: number | undefined;
    pings = setInterval(() => {
      if (askedAt !== undefined && heardAt >= askedAt) askedAt = undefined;
      if (askedAt === undefined && calls.size === 0) return stopWatching(busy);
      if (askedAt === undefined) {
        askedAt = performance.now();
        busy.postMessage({ type: 'ping' } satisfies ToThread);
      } else if (performance.now() - askedAt > HANG_MS) {
        failure = `it did not answer for ${HANG_MS / 1_000} s`;
        void busy.terminate();
      }
    }, PING_MS).unref();
  };

  const stopWatching = (idle: Worker): void => {
    clearInterval(pings);
    pings = undefined;
    idle.unref();
  };

  start();
  return {
    get id() {
      return worker?.threadId;
    },
    call(method, args) {
      if (hasEnded) return Promise.reject(new ThreadLostError('the worker thread was ended'));
      return new Promise((resolve, reject) => {
        const signal = args.find((arg) => arg instanceof AbortSignal);
        signal?.throwIfAborted();
        const to = worker ?? start();
        const callId = ++lastId;
        const giveUp = (): void => {
          calls.delete(callId);
          signal?.removeEventListener('abort', giveUp);
          to.postMessage({ type: 'cancel', id: callId } satisfies ToThread);
          reject(signal?.reason);
        };
        const message: ToThread = {
          type: 'call',
          id: callId,
          method,
          args: args.map((arg) => (arg instanceof AbortSignal ? SIGNAL : arg)),
        };
        to.postMessage(message, listTransfers(args));
        calls.set(callId, { resolve, reject, forget: () => signal?.removeEventListener('abort', giveUp) });
        signal?.addEventListener('abort', giveUp);
        watch(to);
      });
    },
    async end() {
      hasEnded = true;
      const last = worker;
      worker = undefined;
      clearInterval(pings);
      failCalls('the worker thread was ended');
      await last?.terminate();
    },
  };
}

/** In a clone the sources run as they are: a script boots them, as the programs' own starts do. */
function openWorker({ file, data, heapMb }: ThreadOptions): Worker {
  const limits = heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } };
  if (!file.pathname.endsWith('.ts')) return new Worker(file, { workerData: data, ...limits });
  const boot = new URL('../../source-thread.mjs', import.meta.url);
  if (!existsSync(boot)) throw new Error(`${fileURLToPath(file)} cannot be run as a thread: it was not built.`);
  return new Worker(boot, {
    workerData: data,
    argv: [file.href],
    execArgv: ['--conditions=palimpsest-source'],
    ...limits,
  });
}

/** Locks that an ended thread held are free for the next one, which asks for this list when it meets one (`store`). */
function noteEnded(thread: number): void {
  const before = (getEnvironmentData(ENDED_THREADS) ?? []) as readonly number[];
  setEnvironmentData(ENDED_THREADS, [...before, thread]);
}

const ENDED_THREADS = 'palimpsest:ended-threads';

function describe(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name ?? 'error');
}
