import { CompactionError } from '../errors.ts';
import { isSameJson } from '../json.ts';
import { halveTokens } from '../size/beside-overhead.ts';
import { type Budget, forceBudget } from '../size/budget.ts';
import type { Receipt } from '../view/receipt.ts';
import { layersNow, readBudget } from './circumstances-now.ts';
import { makeView } from './make-view.ts';
import type { CompactionPlan } from './preview-types.ts';
import { checkCompactOptions } from './session-rules.ts';
import { measureNow, type SessionState } from './session-state.ts';
import type { CompactRequest } from './session-types.ts';
import type { SummaryAhead } from './summary-ahead.ts';

/** Compacts because somebody asked, or as it was previewed. */
export async function compactSession(
  session: SessionState,
  ahead: SummaryAhead,
  request: CompactRequest,
): Promise<Receipt | undefined> {
  checkCompactOptions(request);
  const { plan, signal, trigger = 'manual', now, ...asked } = request;
  const budget = budgetForAsked(session);
  if (plan !== undefined) requireUnchanged(session, plan);
  const wanted = plan === undefined ? { trigger, asked, now } : plan;
  return (await makeView(session, ahead, { ...wanted, budget, signal, handsOut: false })).receipt;
}

/** The budget of a compaction that was asked for: down to the target or to half the size, whichever is less. */
export function budgetForAsked(session: SessionState): Budget {
  const budget = readBudget(session);
  if (!budget.enabled)
    throw new CompactionError('disabled', 'compaction is switched off (PALIMPSEST_DISABLE); switch it on first.');
  if (session.view.base.length === 0)
    throw new CompactionError('nothing-to-compact', 'there are no messages yet: nothing can be compacted.');
  const target = Math.min(budget.target, halveTokens(measureNow(session), budget));
  return { ...forceBudget(budget, target), floorFrom: budget.ceiling ?? budget.trigger };
}

/** What a plan was made of: where it is the same, the same walk comes to the same. */
export function describeState(session: SessionState): CompactionPlan['state'] {
  const { view } = session;
  const { window, target } = readBudget(session);
  const layers = layersNow(session).map(({ name }) => name);
  return {
    messages: view.transcript.length,
    entries: view.entries.length,
    tokens: measureNow(session),
    window,
    target,
    layers,
  };
}

function requireUnchanged(session: SessionState, { state }: CompactionPlan): void {
  const now = describeState(session);
  if (isSameJson(now, state)) return;
  const more = now.messages - state.messages;
  const what = more > 0 ? `${more} ${more === 1 ? 'message has' : 'messages have'} come` : 'it has changed';
  throw new CompactionError(
    'stale-plan',
    `the plan is of an earlier state of this session: ${what} since. Make another preview.`,
  );
}
