import type { EventLoop } from '@palimpsest/core';

/** Reading in small steps, between which others of the process may have their turn. */
export type ReadingSteps<Result> = Generator<undefined, Result, undefined>;

/**
 * Reads requests one after the other, in the order in which they came, so that each finds what those before it brought. What is
 * short is read at once.
 */
export function newReadingLine(loop: EventLoop): <Result>(begin: () => ReadingSteps<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let inLine = 0;
  async function read<Result>(begin: () => ReadingSteps<Result>): Promise<Result> {
    try {
      const steps = begin();
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done === true) return step.value;
        if (loop.isDue()) await loop.turn();
      }
    } finally {
      inLine--;
    }
  }
  return (begin) => {
    const reading = inLine++ === 0 ? read(begin) : last.then(() => read(begin));
    last = reading.catch(() => {});
    return reading;
  };
}
