import { CompactionError } from '../errors.ts';
import { forceBudget, budget as makeBudget } from '../size/budget.ts';
import { makeView } from './make-view.ts';
import { measureNow, type SessionState } from './session-state.ts';
import type { View, ViewOptions } from './session-types.ts';
import type { SummaryAhead } from './summary-ahead.ts';

/** The last messages that stay when a provider refused the request. */
const OVERFLOW_KEEPS = 5;

/** What a provider said as it refused a view as too long: the most it takes, and what it counted. */
export interface Refusal {
  readonly maximum?: number | undefined;
  readonly actual?: number | undefined;
}

/** A view of half the size at most, after the provider refused the newest one; an error where that has been tried enough. */
export async function makeSmallerView(
  session: SessionState,
  ahead: SummaryAhead,
  refusal: Refusal,
  options: ViewOptions,
): Promise<View> {
  learnWindow(session, refusal.maximum);
  const { budget } = session;
  if (!budget.enabled) throw blockedError(session);
  if (session.overflows >= Math.min(3, session.options.overflowTries ?? 1))
    throw new CompactionError(
      'cannot-reduce',
      `the provider refused ${session.overflows + 1} views in a row as too long, the last of about ${measureNow(session)} tokens. State the right window, or shorten system prompt and tools.`,
    );
  const before = measureNow(session);
  const scale = refusal.actual !== undefined && refusal.actual > before ? before / refusal.actual : 1;
  const target = Math.floor(Math.min(budget.target, before * 0.5) * scale);
  const view = await makeView(session, ahead, {
    ...options,
    budget: forceBudget(budget, target),
    trigger: 'overflow',
    asked: { keepMessages: OVERFLOW_KEEPS },
  });
  // A try that was aborted, or that the journal did not take, is none.
  session.overflows++;
  if (view.tokens >= before)
    throw new CompactionError('cannot-reduce', `nothing more can be hidden: ${view.tokens} tokens are indivisible.`);
  return view;
}

function learnWindow(session: SessionState, maximum: number | undefined): void {
  if (maximum === undefined || maximum >= session.budget.window) return;
  session.budgetOptions = { ...session.budgetOptions, window: maximum };
  session.budget = makeBudget(session.budgetOptions);
  session.emit({ type: 'window-learned', window: maximum });
}

/** The error of a view that is over the blocking limit while nothing may compact it. */
export const blockedError = (session: SessionState): CompactionError =>
  new CompactionError(
    'blocked',
    `the context has ${measureNow(session)} tokens and the limit is ${session.budget.blocking}, with automatic compaction off. Call compact(), or switch it on.`,
  );
