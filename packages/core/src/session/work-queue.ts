/** One thing at a time: views, compactions and switches wait for each other; appends never wait. */
export interface WorkQueue {
  /** Does the work once all that was asked for before is done. */
  add<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether something is being done, or waits to be. */
  readonly isBusy: boolean;
}

export function newWorkQueue(): WorkQueue {
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;
  return {
    add(work) {
      pending++;
      const result = last.then(work, work).finally(() => pending--);
      last = result.catch(() => {});
      return result;
    },
    get isBusy() {
      return pending > 0;
    },
  };
}
