import type { OptionRule } from '../check-options.ts';
import { isFields } from '../json.ts';
import type { MoneyRule } from './money-rule.ts';

/** A distance in tokens. A small window scales it down: 13,000 tokens mean nothing in 16,000. */
export interface Margin {
  readonly tokens: number;
  /** From so many tokens of window on it counts in full; 0: always. */
  readonly from: number;
  /** Below that it falls in proportion (1, the default) or faster (2: by the square). */
  readonly power?: 1 | 2;
}

/** How a budget is reckoned from a window. Each agent has a rule of its own, and so its preset has. */
export interface BudgetRule {
  /** Room for the answer, of the window: `maxOutput` counts up to here. */
  readonly answer: Margin;
  /**
   * Room below a stated input limit, of that limit: `maxOutput` counts up to here, and the window does not count besides.
   * Unstated: an input limit is a limit and nothing else, and room for the answer is taken from the window.
   */
  readonly input?: Margin;
  /** Below the effective window, and of it. */
  readonly trigger: Margin;
  readonly blocking: Margin;
  /** Below the trigger (below the effective window while nothing is automatic), and of the effective window. */
  readonly warning: Margin;
  readonly error: Margin;
  /** The share of what messages can take that a compaction leaves; 0.35 where none is stated. */
  readonly keep?: number;
  /** When money alone is a reason to compact; never where none is stated. */
  readonly money?: MoneyRule;
}

const isMargin = (value: unknown): boolean =>
  isFields(value) && [value.tokens, value.from].every((one) => typeof one === 'number' && one >= 0);

const isShare = (value: unknown): boolean => typeof value === 'number' && value > 0 && value <= 1;

const isMoneyRule = (value: unknown): boolean =>
  isFields(value) &&
  [value.coldFrom, value.growth, value.again].every((one) => typeof one === 'number' && one >= 0) &&
  (value.keepLeast === undefined || isShare(value.keepLeast));

/** What a rule may be. */
export const budgetRuleRule: OptionRule = {
  allows: (value) =>
    isFields(value) &&
    (value.input === undefined || isMargin(value.input)) &&
    (value.keep === undefined || isShare(value.keep)) &&
    (value.money === undefined || isMoneyRule(value.money)) &&
    [value.answer, value.trigger, value.blocking, value.warning, value.error].every(isMargin),
  words:
    'a rule with answer, trigger, blocking, warning and error, each { tokens, from }, and if wanted keep (a share) and money { coldFrom, growth, again, keepLeast }',
};

/** What a share is of an amount, in whole tokens. 0.35 of 180,000 is 63,000, whatever binary fractions make of it. */
export const takeShare = (amount: number, fraction: number): number => Math.floor(amount * fraction + 1e-6);

/** A margin in tokens, of a window of so many. */
export const measureMargin = ({ tokens, from, power = 1 }: Margin, window: number): number =>
  window >= from ? tokens : takeShare(tokens, (window / from) ** power);

/** A summary's 99.99th percentile is 17,387 tokens. */
const ANSWER_TOKENS = 20_000;

/** A figure of a window of 200,000 that keeps its share in smaller ones. */
const scaleMargin = (tokens: number): Margin => ({ tokens, from: 180_000 });

/** Ours: figures of a large window, which a smaller one scales down by the share they have of 180,000 effective tokens. */
export const defaultRule: BudgetRule = {
  // However much a host lets the model answer, three quarters of a small window are for the conversation.
  answer: { tokens: ANSWER_TOKENS, from: 80_000 },
  trigger: scaleMargin(13_000),
  blocking: scaleMargin(3_000),
  warning: scaleMargin(20_000),
  error: scaleMargin(10_000),
  keep: 0.2,
  // Chosen on half of the recorded projects and confirmed on the other: decision 011.
  money: { coldFrom: 1.25, growth: 1_400, again: 40_000, keepLeast: 0.5 },
};

/** A figure that holds whatever the window, from 64,000 tokens with the largest answer on. */
const fixMargin = (tokens: number): Margin => ({ tokens, from: 44_000, power: 2 });

/**
 * Claude Code's: the same figures whatever the window. Below 64,000 tokens they would leave the conversation next to nothing,
 * and of 16,000 less than nothing, so that there they scale down.
 */
export const claudeCodeRule: BudgetRule = {
  answer: { tokens: ANSWER_TOKENS, from: 60_000 },
  trigger: fixMargin(13_000),
  blocking: fixMargin(3_000),
  warning: fixMargin(20_000),
  error: fixMargin(20_000),
};

/**
 * OpenCode's: usable is the input limit less 20,000 tokens, else the window less the largest answer; compaction begins there.
 * It warns nobody: the distances of ours serve.
 */
export const openCodeRule: BudgetRule = {
  answer: { tokens: Infinity, from: 0 },
  input: { tokens: ANSWER_TOKENS, from: 0 },
  trigger: { tokens: 0, from: 0 },
  blocking: { tokens: 0, from: 0 },
  warning: scaleMargin(20_000),
  error: scaleMargin(10_000),
};
