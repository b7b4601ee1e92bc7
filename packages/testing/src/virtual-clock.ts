import type { Clock } from '@palimpsest/core';

/** Time that passes only when told to. `run` lets it pass until a promise is settled. */
export interface VirtualClock extends Clock {
  advance(ms: number): Promise<void>;
  run<Result>(promise: Promise<Result>): Promise<Result>;
}

export function virtualClock(): VirtualClock {
  let now = 0;
  let waits: { due: number; wake: () => void }[] = [];
  const breathe = (): Promise<void> => new Promise((go) => setImmediate(go));

  async function until(due: number): Promise<void> {
    for (;;) {
      await breathe();
      const next = waits.filter((wait) => wait.due <= due).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      now = Math.max(now, next.due);
      waits = waits.filter((wait) => wait !== next);
      next.wake();
    }
    now = Math.max(now, due);
  }

  return {
    now: () => now,
    wait: (ms, signal) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const wait = { due: now + ms, wake: resolve };
        waits.push(wait);
        signal?.addEventListener('abort', () => {
          waits = waits.filter((one) => one !== wait);
          reject(signal.reason);
        });
      }),
    advance: (ms) => until(now + ms),
    async run(promise) {
      let settled = false;
      const done = (): void => {
        settled = true;
      };
      promise.then(done, done);
      for (let idle = 0; !settled; ) {
        await breathe();
        if (settled) break;
        const next = [...waits].sort((a, b) => a.due - b.due)[0];
        if (next !== undefined) await until(next.due);
        else if (++idle > 1_000) throw new Error('nothing will ever settle this');
      }
      return promise;
    },
  };
}
