/** Keeps a thing that fails from being asked again and again: slow is worse than dead. */
export interface Breaker {
  /** False while it rests. After the rest one request tries; the others wait for how that goes. */
  allows(): boolean;
  note(outcome: 'good' | 'bad'): void;
}

export interface BreakerOptions {
  /** So many failures in a row. */
  readonly failures: number;
  /** At first; twice as long after each try that fails as well, up to `mostRestMs`. */
  readonly restMs: number;
  readonly mostRestMs?: number;
  readonly now?: () => number;
}

export function createBreaker({
  failures,
  restMs,
  mostRestMs = restMs,
  now = () => performance.now(),
}: BreakerOptions): Breaker {
  let inRow = 0;
  let restsUntil = 0;
  let nextRestMs = restMs;
  return {
    allows() {
      if (inRow < failures) return true;
      if (now() < restsUntil) return false;
      restsUntil = now() + nextRestMs;
      return true;
    },
    note(outcome) {
      inRow = outcome === 'good' ? 0 : inRow + 1;
      if (outcome === 'good') nextRestMs = restMs;
      if (inRow < failures) return;
      restsUntil = now() + nextRestMs;
      nextRestMs = Math.min(mostRestMs, nextRestMs * 2);
    },
  };
}
