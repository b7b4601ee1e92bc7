import type { Budget } from './budget.ts';

/** A target stated in tokens keeps at least so much of the share it would have of a window without overhead. */
const LEAST_OF_STATED = 0.5;

/** The head of a conversation counts as overhead up to this part of the effective window; what is more may have to be cut. */
const HEAD_SHARE = 0.25;

/**
 * The budget beside what is sent besides the messages, and the head of the conversation, which stays. Of that nothing can be
 * compacted, so the target keeps the place between it and the trigger that it has between nothing and the trigger otherwise.
 */
export function besideOverhead(budget: Budget, sent: number, headTokens = 0): Budget {
  const { target, trigger, effective, keepFraction } = budget;
  const head = Math.min(headTokens, Math.floor(effective * HEAD_SHARE));
  const overhead = sent + head;
  if (overhead <= 0) return budget;
  if (overhead >= trigger || trigger === Infinity) return { ...budget, overhead, head };
  const move = (tokens: number): number => overhead + Math.floor(tokens * (1 - overhead / trigger));
  const shared = keepFraction === undefined ? 0 : move(Math.min(keepFraction * effective, trigger - 1));
  const reachable = Math.max(target, shared, move(target * LEAST_OF_STATED));
  return { ...budget, overhead, head, target: Math.min(reachable, trigger - 1) };
}

/** Whether what is sent besides the messages reaches the trigger alone: then no compaction of messages gets below it. */
export const isCrowded = ({ overhead = 0, head = 0, trigger }: Budget): boolean => overhead - head >= trigger;

/**
 * The budget of a walk that waits for the blocking limit. Where what is sent besides the messages reaches even that, hiding
 * messages helps nobody, and only the limits besides tokens are kept.
 */
export function deferTrigger({ money: _, ceiling: __, ...budget }: Budget): Budget {
  const { overhead = 0, head = 0 } = budget;
  const trigger = Math.max(budget.trigger, budget.blocking);
  if (overhead - head >= trigger) return { ...budget, trigger: Infinity, target: Infinity };
  return besideOverhead({ ...budget, trigger }, overhead - head, head);
}

/** Halfway down from so many tokens, of what can be compacted. */
export const halveTokens = (tokens: number, { overhead = 0 }: Budget): number =>
  overhead + Math.floor(Math.max(0, tokens - overhead) / 2);
