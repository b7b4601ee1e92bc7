import { setImmediate as nextRound } from 'node:timers/promises';

const EVERY_MS = 25;

/** Long work in one piece would not hear Ctrl-C: called often, it lets the process listen now and then, and ends if it was asked to. */
export type TakeBreath = () => Promise<void>;

export function newBreath(signal: AbortSignal): TakeBreath {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < EVERY_MS) return;
    await nextRound();
    signal.throwIfAborted();
    last = performance.now();
  };
}
