import type { Failure } from '../wire.ts';

/**
 * What to branch on: as a `Failure`, whose `overflow` is `too-long` here. `unreachable`: nobody answered at all.
 * `broken-stream`: the connection ended before the answer did.
 */
export type ProviderCode =
  | 'too-long'
  | 'rate-limited'
  | 'overloaded'
  | 'server'
  | 'auth'
  | 'quota'
  | 'invalid'
  | 'unreachable'
  | 'broken-stream';

/** A provider did not give what was asked for. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: ProviderCode;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** The window, where a request was too long and the provider stated it. */
  readonly maximum?: number;
  /** The size that was compared with it, where it was stated. */
  readonly actual?: number;

  constructor(
    code: ProviderCode,
    message: string,
    about: {
      readonly retryable?: boolean;
      readonly retryAfterMs?: number | undefined;
      readonly maximum?: number | undefined;
      readonly actual?: number | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    this.retryable = about.retryable ?? false;
    if (about.retryAfterMs !== undefined) this.retryAfterMs = about.retryAfterMs;
    if (about.maximum !== undefined) this.maximum = about.maximum;
    if (about.actual !== undefined) this.actual = about.actual;
  }
}

const RETRYABLE: readonly Failure['type'][] = ['rate-limited', 'overloaded', 'server'];

/** A failure as what is thrown. */
export function providerError(failure: Failure, cause?: unknown): ProviderError {
  const { retryAfterMs, maximum, actual } = failure as { retryAfterMs?: number; maximum?: number; actual?: number };
  const code = failure.type === 'overflow' ? 'too-long' : failure.type;
  return new ProviderError(code, failure.message, {
    retryable: RETRYABLE.includes(failure.type),
    retryAfterMs,
    maximum,
    actual,
    cause,
  });
}
