import type { Budget } from '../../size/budget.ts';

/** All that the user typed is less in 97 of 100 sessions. */
const MOST_TOKENS = 4_000;
const TARGET_SHARE = 0.3;

/** What the user's words may take of a view, besides those in messages that are shown as they are. */
export const wordsRoom = ({ target }: Budget): number => Math.min(MOST_TOKENS, Math.floor(target * TARGET_SHARE));
