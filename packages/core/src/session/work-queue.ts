/** One thing at a time: views, compactions and switches wait for each other; appends never wait. */
export interface WorkQueue {
  /** Does the work once all that was asked for before is done. What is aborted before its turn rejects at once. */
  add<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Whether something is being done, or waits to be. */
  readonly isBusy: boolean;
}

export function newWorkQueue(): WorkQueue {
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;
  return {
    add(work, signal) {
      let hasBegun = false;
      const begin = (): ReturnType<typeof work> => {
        if (signal?.aborted === true) throw signal.reason;
        hasBegun = true;
        return work();
      };
      pending++;
      const result = last.then(begin).finally(() => pending--);
      last = result.catch(() => {});
      return rejectBefore(result, signal, () => hasBegun);
    },
    get isBusy() {
      return pending > 0;
    },
  };
}

/** Rejects with the signal's reason where that is aborted before the work has begun; from then on the work itself minds it. */
function rejectBefore<Result>(
  result: Promise<Result>,
  signal: AbortSignal | undefined,
  hasBegun: () => boolean,
): Promise<Result> {
  // An option that is no signal is the work's to refuse.
  if (typeof signal?.addEventListener !== 'function') return result;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      if (!hasBegun()) reject(signal.reason);
    };
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
  });
}
