import type { Clock } from '@palimpsest/core';

/** The simulator's time: caches expire by it, and slow answers wait for it. */
export interface SimClock extends Clock {
  /** Moves time on; whoever waited for a moment that is now past goes on. */
  advance(ms: number): void;
}

interface Waiting {
  readonly due: number;
  release(): void;
}

/** Where virtual time begins: some Monday, so that no run depends on the day it is made. */
const START = Date.UTC(2026, 10, 2, 9);

/** Real time runs by itself and can be pushed ahead; virtual time stands still until it is moved. */
export function createClock({ virtual = false }: { readonly virtual?: boolean } = {}): SimClock {
  let ahead = 0;
  const waiting = new Set<Waiting>();
  const now = (): number => (virtual ? START : Date.now()) + ahead;
  return {
    now,
    advance(ms) {
      ahead += ms;
      for (const one of [...waiting]) if (one.due <= now()) one.release();
    },
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        if (ms <= 0) return resolve();
        const stop = (): void => {
          waiting.delete(one);
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
        };
        const abort = (): void => {
          stop();
          reject(signal?.reason);
        };
        const one: Waiting = {
          due: now() + ms,
          release: () => {
            stop();
            resolve();
          },
        };
        const timer = virtual ? undefined : setTimeout(one.release, ms);
        waiting.add(one);
        signal?.addEventListener('abort', abort, { once: true });
      }),
  };
}
