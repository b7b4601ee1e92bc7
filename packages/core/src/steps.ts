/**
 * Work in small steps. Whoever drives it may do something else between two of them; what the work comes to is the same however
 * it is driven.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** All steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** True at each n-th call: of very small steps not every one is worth a stop. */
export function newStride(n: number): () => boolean {
  let count = 0;
  return () => ++count % n === 0;
}
