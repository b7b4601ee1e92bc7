import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@palimpsest/core';

/** The time that core does not have. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
};

/** Settles with the promise, or rejects as soon as the signal is aborted; whatever comes later is not heard. */
export async function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  work.catch(() => {});
  let give: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    give = () => reject(signal.reason);
    signal.addEventListener('abort', give, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', give!);
  }
}
