/** The event loop of the host, which others of the process want as well. */
export interface EventLoop {
  /** Whether the others have waited long enough. Asked between two small steps of long work. */
  isDue(): boolean;
  /** Resolves once they had their turn. */
  turn(): Promise<void>;
}

/** Work goes on for so long before others have their turn: a few such pieces beside each other are still no wait. */
const SLICE_MS = 4;

/** What a runtime has for it; in some of them there is no `setImmediate`. As they were when this was loaded. */
const { setImmediate, setTimeout, performance } = globalThis as unknown as {
  readonly setImmediate?: (call: () => void) => unknown;
  readonly setTimeout: (call: () => void, ms: number) => unknown;
  readonly performance: { now(): number };
};

const runLater = (call: () => void): unknown => (setImmediate === undefined ? setTimeout(call, 0) : setImmediate(call));

/**
 * All sessions of a process share its event loop. Time counts from when it was first asked for behind the loop's last turn; and
 * of several that wait for a turn, one goes on at each of them.
 */
export function newEventLoop(later: (call: () => void) => unknown, now: () => number): EventLoop {
  const waiting: (() => void)[] = [];
  let since: number | undefined;
  let isComing = false;
  const come = (): void => {
    isComing = false;
    since = undefined;
    const next = waiting.shift();
    if (waiting.length > 0) callTurn();
    next?.();
  };
  const callTurn = (): void => {
    if (isComing) return;
    isComing = true;
    later(come);
  };
  return {
    isDue() {
      callTurn();
      since ??= now();
      return now() - since >= SLICE_MS;
    },
    turn: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        callTurn();
      }),
  };
}

/** The one of this process. */
export const systemLoop: EventLoop = newEventLoop(runLater, () => performance.now());
