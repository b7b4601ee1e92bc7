import { type Budget, budget } from '@palimpsest/core';

/** A budget of exactly this many tokens: over it the walk must act, and must end within it. */
export const exactBudget = (tokens: number, more: Partial<Budget> = {}): Budget => ({
  ...budget({ window: 1_000_000 }),
  effective: tokens,
  trigger: tokens + 1,
  target: tokens,
  ...more,
});
