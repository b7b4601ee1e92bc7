/** Lets large bodies in a few at a time: to be read, so that the bytes of the others stay where they are, or to be worked on, so that nothing is made of the others yet. */
export interface BodyGate {
  /** Resolves once there is room for a body of so many bytes. Whoever is in calls what it resolves to when the work is done. */
  enter(bytes: number, signal: AbortSignal): Promise<() => void>;
}

export interface BodyGateOptions {
  /** Bodies of no more bytes than this never wait, and are not counted. */
  readonly smallBytes: number;
  /** Of the bodies that are in at once. A larger one is in alone. */
  readonly mostBytes: number;
  /** Who is in for longer waits for others itself, a client, a model or a store: it makes room for the next. Absent: nobody does. */
  readonly mostMs?: number;
}

const leaveNothing = (): void => {};

/** In the order in which they came. */
export function createBodyGate({ smallBytes, mostBytes, mostMs }: BodyGateOptions): BodyGate {
  const waiting = new Set<() => void>();
  let inside = 0;
  const isFull = (bytes: number): boolean => inside > 0 && inside + bytes > mostBytes;

  const letIn = (): void => {
    for (const tryAgain of waiting) tryAgain();
  };

  function comeIn(bytes: number): () => void {
    inside += bytes;
    let isIn = true;
    const leave = (): void => {
      if (!isIn) return;
      isIn = false;
      clearTimeout(timer);
      inside -= bytes;
      letIn();
    };
    const timer = mostMs === undefined ? undefined : setTimeout(leave, mostMs).unref();
    return leave;
  }

  return {
    enter(bytes, signal) {
      if (bytes <= smallBytes) return Promise.resolve(leaveNothing);
      if (waiting.size === 0 && !isFull(bytes)) return Promise.resolve(comeIn(bytes));
      return new Promise((resolve, reject) => {
        const end = (): void => {
          waiting.delete(tryAgain);
          signal.removeEventListener('abort', giveUp);
        };
        const giveUp = (): void => {
          end();
          reject(signal.reason);
          letIn();
        };
        const tryAgain = (): void => {
          const [next] = waiting;
          if (next !== tryAgain || isFull(bytes)) return;
          end();
          resolve(comeIn(bytes));
        };
        if (signal.aborted) return giveUp();
        waiting.add(tryAgain);
        signal.addEventListener('abort', giveUp);
      });
    },
  };
}
