import { type BudgetRule, measureMargin } from './budget-rule.ts';

/** What is stated of the room that a conversation leaves free. */
interface StatedRoom {
  readonly maxOutput?: number;
  readonly inputLimit?: number;
  readonly reserved?: number;
}

/** An answer nobody stated takes a tenth of the window, and no more than this. */
const USUAL_ANSWER = 20_000;
/** However much is to stay free, the rest of a limit is the conversation's. */
const MOST_RESERVED = 0.5;

/**
 * The window less room for the answer, or the input limit less what is to stay free there. The room is no sum of what an
 * answer may take at most: hosts state 32,000 and more for answers of a few hundred tokens, and all of it would be lost to
 * the conversation.
 */
export function measureEffective(window: number, stated: StatedRoom, rule: BudgetRule): number {
  const limit = Math.max(1, Math.floor(Math.min(stated.inputLimit ?? window, window)));
  const capRoom = (tokens: number): number => Math.floor(Math.min(tokens, limit * MOST_RESERVED));
  const wanted = stated.maxOutput ?? Math.min(window / 10, USUAL_ANSWER);
  const answer = capRoom(Math.min(wanted, measureMargin(rule.answer, window)));
  const reserved = capRoom(stated.reserved ?? 0);
  if (stated.inputLimit === undefined) return window - Math.max(answer, reserved);
  if (rule.input === undefined) return Math.min(window - answer, limit - reserved);
  return limit - capRoom(stated.reserved ?? Math.min(wanted, measureMargin(rule.input, limit)));
}
