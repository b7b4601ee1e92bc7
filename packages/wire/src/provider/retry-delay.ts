import type { ProviderError } from '../failure/provider-error.ts';

/** A busy provider is asked again so often; one that cannot be reached less, since a wrong address stays wrong. */
const TRIES = { busy: 5, unreachable: 3 } as const;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** How long to wait after so many attempts; undefined where another one is of no use, or too far away. */
export function retryDelayMs(error: ProviderError, attempts: number): number | undefined {
  const most = error.code === 'unreachable' ? TRIES.unreachable : TRIES.busy;
  const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempts - 1);
  return error.retryable && attempts < most && waitMs <= LONGEST_WAIT_MS ? waitMs : undefined;
}
