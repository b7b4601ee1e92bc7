import { asFields, asNumber, isFields } from '@palimpsest/core/json';
import type { Failure, HeaderSource } from '../wire.ts';
import { failureOf } from './failure.ts';

/** What to branch on: as a `Failure`, whose `overflow` is `too-long` here. `broken-stream`: the connection failed. */
export type ProviderCode =
  | 'too-long'
  | 'rate-limited'
  | 'overloaded'
  | 'server'
  | 'auth'
  | 'quota'
  | 'invalid'
  | 'broken-stream';

/** A provider did not give what was asked for. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: ProviderCode;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** The window, where a request was too long and the provider stated it. */
  readonly maximum?: number;

  constructor(
    code: ProviderCode,
    message: string,
    about: {
      readonly retryable?: boolean;
      readonly retryAfterMs?: number | undefined;
      readonly maximum?: number | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    this.retryable = about.retryable ?? false;
    if (about.retryAfterMs !== undefined) this.retryAfterMs = about.retryAfterMs;
    if (about.maximum !== undefined) this.maximum = about.maximum;
  }
}

const RETRYABLE: readonly Failure['type'][] = ['rate-limited', 'overloaded', 'server'];

export function providerError(failure: Failure, cause?: unknown): ProviderError {
  const { retryAfterMs, maximum } = failure as { retryAfterMs?: number; maximum?: number };
  const code = failure.type === 'overflow' ? 'too-long' : failure.type;
  return new ProviderError(code, failure.message, {
    retryable: RETRYABLE.includes(failure.type),
    retryAfterMs,
    maximum,
    cause,
  });
}

const MAX_DEPTH = 5;

/** What a vendor's SDK threw, as a failure; undefined where it was not the provider that said no. */
export function readThrownFailure(error: unknown, depth = 0): Failure | undefined {
  if (!isFields(error) || depth > MAX_DEPTH) return undefined;
  const status = asNumber(error.status) ?? asNumber(error.statusCode);
  const message = typeof error.message === 'string' ? error.message : '';
  if (status !== undefined) {
    const said = error.error ?? error.responseBody ?? error.body ?? error.data;
    const headers = (error.headers ?? error.responseHeaders) as HeaderSource | undefined;
    return failureOf(status, said === undefined || said === '' ? message : said, headers);
  }
  const inner = readThrownFailure(error.cause, depth + 1);
  if (inner !== undefined) return inner;
  // LangChain's name for it, whichever vendor said it.
  if (asFields(error).name === 'ContextOverflowError') return { type: 'overflow', message };
  return undefined;
}
