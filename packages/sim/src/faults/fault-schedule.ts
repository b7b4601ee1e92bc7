import { pick, roll } from '../random.ts';

/** All that can go wrong; what a `rate` of faults picks from unless `kinds` are named. */
export const FAULT_KINDS = [
  'rate-limited',
  'overloaded',
  'server-error',
  'cut-stream',
  'slow-bytes',
  'wrong-usage',
  'missing-usage',
  'early-close',
] as const;

/**
 * `cut-stream`: the connection breaks in the middle of an answer. `early-close`: before its first byte. `wrong-usage`
 * and `missing-usage`: a whole answer that states its cost falsely, or not at all.
 */
export type FaultKind = (typeof FAULT_KINDS)[number];

/** By chance, the same for the same seed; or at given requests, counted from 1. */
export type Faults =
  | { readonly rate: number; readonly seed?: number; readonly kinds?: readonly FaultKind[] }
  | readonly { readonly at: number; readonly kind: FaultKind }[];

export function scheduleFaults(faults: Faults | undefined): (n: number) => FaultKind | undefined {
  if (faults === undefined) return () => undefined;
  if ('rate' in faults) {
    const { rate, seed = 1, kinds = FAULT_KINDS } = faults;
    if (!(rate >= 0 && rate <= 1)) throw new RangeError(`a rate of faults lies between 0 and 1, not ${rate}`);
    return (n) => (roll(seed, n, 'fault') < rate ? pick(kinds, seed, n, 'kind') : undefined);
  }
  const at = new Map(faults.map((fault) => [fault.at, fault.kind]));
  return (n) => at.get(n);
}
