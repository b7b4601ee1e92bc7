import { type EventLoop, runInTurns } from '@palimpsest/core';
import type { Steps } from '@palimpsest/core/steps';

const endQuietly = (): void => {};

/**
 * Reads requests one after the other, in the order in which they came, so that each finds what those before it brought. What is
 * short is read at once.
 */
export function newReadingLine(loop: EventLoop): <Result>(begin: () => Steps<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let inLine = 0;
  async function read<Result>(begin: () => Steps<Result>): Promise<Result> {
    try {
      return await runInTurns(begin(), loop);
    } finally {
      inLine--;
    }
  }
  return (begin) => {
    const reading = inLine++ === 0 ? read(begin) : last.then(() => read(begin));
    // Whoever comes next waits for the end of it, and holds nothing of what was read.
    last = reading.then(endQuietly, endQuietly);
    return reading;
  };
}
