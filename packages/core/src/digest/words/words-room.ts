import { type Budget, ownTargetForMessages } from '../../size/budget.ts';

/** All that the user typed is less in 97 of 100 sessions. */
const MOST_TOKENS = 4_000;
const TARGET_SHARE = 0.3;

/**
 * What the user's words may take of a view, besides those in messages that are shown as they are. It is no less for a walk
 * that is forced further down: what was typed does not wear out by compacting.
 */
export function wordsRoom(budget: Budget): number {
  const { target, ownTarget = target } = budget;
  return Math.min(MOST_TOKENS, Math.floor(ownTarget * TARGET_SHARE), ownTargetForMessages(budget));
}
