import type { Fields } from '@palimpsest/core/json';
import type { StreamEvent } from '../read-events.ts';

/** The name of the tool that is answered inside. No client ever sees it. */
export const TOOL_NAME = 'palimpsest_recall';

/**
 * Makes one answer out of the rounds that it took. Events of a round are taken one by one; what must wait for the round's end
 * is held back. An answer of one round without a call of ours comes out byte for byte.
 */
export interface StreamMerger {
  /** What goes to the client now. */
  take(event: StreamEvent): string;
  /** The round said that it is over. */
  readonly isOver: boolean;
  /** The round is over and another one follows. What of the held back goes to the client all the same. */
  turnOver(): string;
  /** The round is over and it was the last. `words`: what to say where the model would only have looked up more. */
  finish(words?: string): string;
}

/** The same for answers that come whole: those of all rounds, the newest last. */
export type AnswerMerger = (answers: readonly Fields[], words?: string) => Fields;
