import type { StoreError } from '../store-error.ts';
import type { LineAppender } from './line-appender.ts';

/** Appends that wait while another is written go together, up to this size. */
const GROUP_CHARS = 8 << 20;

interface Waiting {
  readonly bodies: readonly string[];
  readonly chars: number;
  resolve(): void;
  reject(error: StoreError): void;
}

/** Appends in the order in which they were made. One that fails takes those behind it along: they may build on it. */
export interface AppendQueue {
  add(bodies: readonly string[]): Promise<void>;
  /** Resolves when nothing is being written any more. */
  settle(): Promise<void>;
}

/** A queue in front of a function that writes records' bodies, all of them or none, one call at a time. */
export function appendQueue(append: LineAppender, toFailure: (error: unknown) => StoreError): AppendQueue {
  let queue: Waiting[] = [];
  let working: Promise<void> | undefined;

  const takeGroup = (): readonly Waiting[] => {
    let chars = 0;
    const over = queue.findIndex((waiting, at) => {
      chars += waiting.chars;
      return at > 0 && chars > GROUP_CHARS;
    });
    return queue.splice(0, over === -1 ? queue.length : over);
  };

  const work = async (): Promise<void> => {
    while (queue.length > 0) {
      const group = takeGroup();
      try {
        await append(group.flatMap(({ bodies }) => bodies));
        for (const waiting of group) waiting.resolve();
      } catch (error) {
        const failure = toFailure(error);
        const behind = queue;
        queue = [];
        for (const waiting of [...group, ...behind]) waiting.reject(failure);
      }
    }
    // In the same step as the last look at the queue: an append made right after it must find nobody at work.
    working = undefined;
  };

  return {
    add(bodies) {
      const chars = bodies.reduce((sum, body) => sum + body.length, 0);
      const written = new Promise<void>((resolve, reject) => queue.push({ bodies, chars, resolve, reject }));
      working ??= work();
      return written;
    },
    settle: async () => working,
  };
}
