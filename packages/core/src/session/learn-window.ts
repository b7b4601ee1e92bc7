import type { BudgetOptions } from '../size/budget.ts';
import { slopeOf } from '../size/meter.ts';
import { addTaken, dropRefused, inferWindow, type WindowClues } from '../size/window-clues.ts';
import { isStated, reckonBudget, type SessionState } from './session-state.ts';

/** The window that was stated: by the user, the host or the provider. What requests have shown of it may be less. */
export const readStatedWindow = ({ budgetOptions: { window, switches } }: SessionState): number =>
  Math.floor(switches?.window ?? window);

/** A window that the provider can mean. What it does not know it sometimes states as 0. */
export const isWindow = (maximum: number | undefined): maximum is number => maximum !== undefined && maximum >= 1;

/** The budget, reckoned anew within what is known of the window. */
export function renewBudget(session: SessionState): void {
  const { budgetOptions, layers, clues } = session;
  const stated = readStatedWindow(session);
  const window = inferWindow(stated, clues);
  session.budget = reckonBudget(window < stated ? lowerWindow(budgetOptions, window) : budgetOptions, layers);
}

/** A provider's word on its window, where it can be one. */
export function learnWindow(session: SessionState, maximum: number | undefined): void {
  if (maximum === undefined) return;
  if (isWindow(maximum)) noteClues(session, dropRefused(session.clues));
  const known = readStatedWindow(session);
  if (maximum === known) return;
  const window = Math.floor(maximum);
  if (!(window >= 1 && window < known)) {
    session.emit({ type: 'window-ignored', window: maximum });
    return;
  }
  session.budgetOptions = lowerWindow(session.budgetOptions, window);
  renewBudget(session);
  session.emit({ type: 'window-learned', window });
}

/** What requests have shown by now; it is told where another window follows from it. */
export function noteClues(session: SessionState, clues: WindowClues): void {
  const stated = readStatedWindow(session);
  const window = inferWindow(stated, clues);
  const isOther = window !== inferWindow(stated, session.clues);
  session.clues = clues;
  if (!isOther) return;
  renewBudget(session);
  session.emit({ type: 'window-learned', window, inferred: true });
}

/** A view of so many tokens was taken. What was refused before is counted as it is now: by a report, perhaps the first. */
export function noteTaken(session: SessionState, tokens: number): void {
  const { clues, view, sentEstimate, stated } = session;
  const slope = slopeOf(view.meter, tokens, sentEstimate, isStated(stated));
  const size = (estimate: number): number => Math.round(tokens + slope * (estimate - sentEstimate));
  noteClues(session, addTaken(clues, tokens, size));
}

/** The user's own word on the window was wrong too. */
function lowerWindow({ switches, ...stated }: BudgetOptions, window: number): BudgetOptions {
  const { window: _, ...others } = switches ?? {};
  return { ...stated, window, ...(switches === undefined ? {} : { switches: others }) };
}
