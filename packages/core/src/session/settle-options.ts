import type { Fact } from '../ledger/ledger.ts';
import type { Prices } from '../size/cost.ts';
import type { Need } from '../view/need.ts';
import type { OwedAnswers } from './owed-answers.ts';

/** How needs are met, and who is told while they are. */
export interface SettleOptions {
  readonly signal?: AbortSignal | undefined;
  readonly countText?: ((text: string) => number) | undefined;
  /** What tokens cost, where the host said so. */
  readonly prices?: Prices | undefined;
  /** Ports that were given up on and still owe an answer: they are not asked again. */
  readonly owed?: OwedAnswers | undefined;
  /** Told of a hook that failed where nothing depends on it. */
  readonly onFailed?: (failure: Omit<Extract<Fact, { type: 'failed' }>, 'type'>) => void;
  /** Called before needs are waited for. */
  readonly onWait?: (needs: readonly Need[]) => void;
}
