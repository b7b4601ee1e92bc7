import { checkOptions } from '../check-options.ts';
import { emptyLedger, type Ledger } from '../ledger/ledger.ts';
import type { NewMessage } from '../message/message.ts';
import { estimateMessage } from '../size/estimate-message.ts';
import { recordEntry } from '../view/record-entry.ts';
import { appendMessage, type ViewState } from '../view/view-state.ts';
import { checkLayers } from './check-layers.ts';
import { loadState } from './load-state.ts';
import { type Plan, type PlanOptions, planRules, planState } from './plan.ts';
import type { Walk } from './walk.ts';

/** Plans a transcript as it grows. */
export interface Planner {
  /** Appends messages and plans: what `plan()` gives for all messages so far and the ledger of the last plan. */
  plan(more: readonly NewMessage[]): Plan;
}

/** Each plan costs what came since the last one; `plan()` reads the whole transcript every time. */
export function createPlanner(ledger: Ledger, options: PlanOptions): Planner {
  checkOptions('createPlanner()', options, planRules, ['budget']);
  checkLayers('createPlanner()', options.layers);
  const { count = estimateMessage, lenient } = options;
  let state: ViewState | undefined;
  let known = ledger ?? emptyLedger;
  let reading: Walk['reading'];
  return {
    plan(more) {
      if (state === undefined) state = loadState(more, known, count, lenient);
      else for (const message of more) appendMessage(state, message, lenient === true ? 'mend' : 'refuse');
      const made = planState(state, known, options, reading);
      reading = made.reading;
      for (const entry of made.plan.ledger.entries.slice(known.entries.length)) recordEntry(state, entry);
      known = made.plan.ledger;
      return made.plan;
    },
  };
}
