/** What the main thread sends to a worker thread. */
export type ToThread =
  | { readonly type: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  /** The caller gave up: the signal of its call is aborted. */
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'ping' };

/** What a worker thread sends back. */
export type FromThread =
  | { readonly type: 'alive' }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: SentError };

/** An error as it crosses threads: a class does not survive, its name and code do. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly cause?: SentError;
}

/** Stands in the arguments where the caller passed an `AbortSignal`. */
export const SIGNAL = '\0palimpsest:signal';

export function sendError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, cause } = error;
  const { code } = error as { readonly code?: unknown };
  return {
    name,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(cause === undefined ? {} : { cause: sendError(cause) }),
  };
}

export function receiveError({ name, message, code, cause }: SentError): Error {
  const error = new Error(message, cause === undefined ? {} : { cause: receiveError(cause) });
  error.name = name;
  return Object.assign(error, code === undefined ? {} : { code });
}

type Transfer = ArrayBuffer | ReadableStream;

/** What of a message changes hands instead of being copied: whole buffers and streams, wherever they stand not too deep. */
export const listTransfers = (value: unknown): Transfer[] => [...new Set(findTransfers(value, MOST_DEPTH))];

const MOST_DEPTH = 4;

function findTransfers(value: unknown, depth: number): readonly Transfer[] {
  if (value instanceof ReadableStream) return [value];
  // A piece of a shared buffer is copied: its other pieces belong to somebody else.
  if (value instanceof Uint8Array)
    return value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength ? [value.buffer] : [];
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => findTransfers(one, depth - 1));
}
