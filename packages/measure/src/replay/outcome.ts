import type { PresetName } from '@palimpsest/core';
import type { Bill } from '../money/prefix-cache.ts';
import { addHeld, type Held } from './witness.ts';

/** Whose views they are: a preset's, or those that the recording's own agent had. */
export type Policy = PresetName | 'recording';

/** What a preset made of a session, or the recording's own agent did. */
export interface Outcome extends Bill, Held {
  readonly preset: Policy;
  /** Walks that changed what the model had been shown: each breaks the cache. */
  readonly compactions: number;
  /** Summaries that a model wrote, drafts and rejected ones among them. */
  readonly written: number;
  /** Calls whose view did not fit. */
  readonly unfit: number;
  /** Calls behind a summary that nobody can read but its provider: of these nothing is said, neither held nor lost. */
  readonly sealed: number;
}

/** One of them over several sessions. */
export function addOutcomes(outcomes: readonly Outcome[], preset: Policy): Outcome {
  const own = outcomes.filter((one) => one.preset === preset);
  const sum = (read: (one: Outcome) => number): number => own.reduce((all, one) => all + read(one), 0);
  return {
    preset,
    calls: sum((one) => one.calls),
    cacheRead: sum((one) => one.cacheRead),
    cacheWrite: sum((one) => one.cacheWrite),
    summaries: sum((one) => one.summaries),
    compactions: sum((one) => one.compactions),
    written: sum((one) => one.written),
    unfit: sum((one) => one.unfit),
    sealed: sum((one) => one.sealed),
    ...addHeld(own),
  };
}
