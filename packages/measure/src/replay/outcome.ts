import type { PresetName } from '@palimpsest/core';
import { addRecalls, type Recall } from '../held/share.ts';
import type { Bill } from '../money/prefix-cache.ts';

/** What a preset made of a session. */
export interface Outcome extends Bill {
  readonly preset: PresetName;
  /** Walks that changed what the model had been shown: each breaks the cache. */
  readonly compactions: number;
  /** Calls whose view did not fit. */
  readonly unfit: number;
  readonly recall: Recall;
}

/** One preset over several sessions. */
export function addOutcomes(outcomes: readonly Outcome[], preset: PresetName): Outcome {
  const own = outcomes.filter((one) => one.preset === preset);
  const sum = (read: (one: Outcome) => number): number => own.reduce((all, one) => all + read(one), 0);
  return {
    preset,
    calls: sum((one) => one.calls),
    cacheRead: sum((one) => one.cacheRead),
    cacheWrite: sum((one) => one.cacheWrite),
    compactions: sum((one) => one.compactions),
    unfit: sum((one) => one.unfit),
    recall: addRecalls(own.map((one) => one.recall)),
  };
}
