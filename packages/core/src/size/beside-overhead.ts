import type { Budget } from './budget.ts';

/** A target stated in tokens keeps at least so much of the share it would have of a window without overhead. */
const LEAST_OF_STATED = 0.5;

/**
 * The budget beside what is sent besides the messages. Of that nothing can be compacted, so the target keeps the place
 * between it and the trigger that it has between nothing and the trigger otherwise.
 */
export function besideOverhead(budget: Budget, overhead: number): Budget {
  if (overhead <= 0) return budget;
  const { target, trigger, effective, keepFraction } = budget;
  if (overhead >= trigger || trigger === Infinity) return { ...budget, overhead };
  const move = (tokens: number): number => overhead + Math.floor(tokens * (1 - overhead / trigger));
  const shared = keepFraction === undefined ? 0 : move(Math.min(keepFraction * effective, trigger - 1));
  const reachable = Math.max(target, shared, move(target * LEAST_OF_STATED));
  return { ...budget, overhead, target: Math.min(reachable, trigger - 1) };
}

/** Whether what is sent besides the messages reaches the trigger alone: then no compaction of messages gets below it. */
export const isCrowded = ({ overhead = 0, trigger }: Budget): boolean => overhead >= trigger;

/**
 * The budget of a walk that waits for the blocking limit. Where what is sent besides the messages reaches even that, hiding
 * messages helps nobody, and only the limits besides tokens are kept.
 */
export function deferTrigger({ money: _, ceiling: __, ...budget }: Budget): Budget {
  const { overhead = 0 } = budget;
  const trigger = Math.max(budget.trigger, budget.blocking);
  if (overhead >= trigger) return { ...budget, trigger: Infinity, target: Infinity };
  return besideOverhead({ ...budget, trigger }, overhead);
}

/** Halfway down from so many tokens, of what can be compacted. */
export const halveTokens = (tokens: number, { overhead = 0 }: Budget): number =>
  overhead + Math.floor(Math.max(0, tokens - overhead) / 2);
