import type { BudgetRule } from '../size/budget-rule.ts';

/** What a preset brings besides its layers: how its agent reckons, and what it does when a provider refuses. */
export interface PresetRules {
  /** How the budget is reckoned; by our own rule where none is stated. */
  readonly budget?: BudgetRule;
  /** What happens when a provider refuses a view as too long. */
  readonly overflow?: {
    /** Where automatic compaction is off, a refusal compacts nothing either: it is an error. False by default. */
    readonly automaticOnly?: boolean;
  };
  /** Whether folds leave what users and clients wrote where it stands. True where nothing is said; the first messages stay in any case. */
  readonly keepsUserText?: boolean;
}
