import type { Failure, Wire } from '@palimpsest/wire';
import type { Kept } from '../conversations/keep-options.ts';
import { createStreamWatch } from './stream-watch.ts';

/** Reads along with a stream of events that goes to the client. */
export interface AnswerWatch {
  read(chunk: Uint8Array): void;
  /** Something was said that tells whether the request was accepted: until then nothing need be handed on. */
  readonly spoke: boolean;
  /** Set where the stream itself said that it failed. */
  readonly failure: Failure | undefined;
  /** The stream is over, or nobody reads it any more: what it reported is heard. */
  end(): void;
}

/** Whoever wants to know what a provider said about a request. */
export type AnswerListener = Pick<Kept<unknown>, 'noteAnswer'> & {
  shrinkBody(failure: Extract<Failure, { type: 'overflow' }>): Promise<unknown>;
};

/** Tells a kept request what the stream of its answer said. */
export function watchAnswer(wire: Pick<Wire<never>, 'usage' | 'failure'>, kept: AnswerListener): AnswerWatch {
  const watch = createStreamWatch(wire);
  let hasEnded = false;
  return {
    read: watch.read,
    get spoke() {
      return watch.spoke;
    },
    get failure() {
      return watch.failure;
    },
    end() {
      if (hasEnded) return;
      hasEnded = true;
      if (watch.failure === undefined) kept.noteAnswer(watch.reported);
      // Cut off at the window's end, which nobody can take back any more: the next request is smaller.
      else if (watch.failure.type === 'overflow') void kept.shrinkBody(watch.failure).catch(() => {});
    },
  };
}
