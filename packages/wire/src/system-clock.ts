import type { Clock } from '@palimpsest/core';

/** Time as it passes; core itself has none. A wait does not keep the process alive beyond what waits for it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        stop();
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          stop();
          resolve();
        },
        Math.min(ms, LONGEST_TIMER_MS),
      );
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

/** Node fires longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
