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

type Work = (...given: never) => unknown;

const stepped = new WeakMap<Work, Work>();

/** A function that does at once what `make` does in steps, and that `findSteps` knows: it can be called and wrapped as any other. */
export function inSteps<Given extends readonly unknown[], Result>(
  make: (...given: Given) => Steps<Result>,
): (...given: Given) => Result {
  const work = (...given: Given): Result => runSteps(make(...given));
  stepped.set(work, make);
  return work;
}

/** A function's work in as many steps as it has. */
export function* stepsOf<Given extends readonly unknown[], Result>(
  work: (...given: Given) => Result,
  ...given: Given
): Steps<Result> {
  const make = findSteps(work);
  return make === undefined ? work(...given) : yield* make(...given);
}

/** What does a function's work in steps; undefined where it has but one. */
export const findSteps = <Given extends readonly unknown[], Result>(
  work: (...given: Given) => Result,
): ((...given: Given) => Steps<Result>) | undefined =>
  stepped.get(work) as ((...given: Given) => Steps<Result>) | undefined;
