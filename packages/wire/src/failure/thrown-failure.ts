import { asFields, asNumber, isFields } from '@palimpsest/core/json';
import type { Failure, HeaderSource } from '../wire.ts';
import { readFailure } from './failure.ts';
import { ProviderError, providerError } from './provider-error.ts';

const MAX_DEPTH = 5;

/** What a vendor's SDK threw, as a failure; undefined where it was not the provider that said no. */
export function readThrownFailure(error: unknown, depth = 0): Failure | undefined {
  if (!isFields(error) || depth > MAX_DEPTH) return undefined;
  const status = asNumber(error.status) ?? asNumber(error.statusCode);
  const message = typeof error.message === 'string' ? error.message : '';
  if (status !== undefined) {
    const said = error.error ?? error.responseBody ?? error.body ?? error.data;
    const headers = (error.headers ?? error.responseHeaders) as HeaderSource | undefined;
    return readFailure(status, said === undefined || said === '' ? message : said, headers);
  }
  const inner = readThrownFailure(error.cause, depth + 1);
  if (inner !== undefined) return inner;
  // LangChain's name for it, whichever vendor said it.
  if (asFields(error).name === 'ContextOverflowError') return { type: 'overflow', message };
  return undefined;
}

/** What was thrown instead of an answer: by a provider, by a vendor's SDK, or by a connection that may hold the next time. */
export function readProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const failure = readThrownFailure(error);
  if (failure !== undefined) return providerError(failure, error);
  const [root = error] = listCauses(error).slice(-1);
  const isClosed = listCauses(error).some((cause) => CLOSED.includes(String(asFields(cause).code)));
  return new ProviderError(isClosed ? 'broken-stream' : 'unreachable', describe(root, error), {
    retryable: true,
    cause: error,
  });
}

/** Somebody was there, and hung up. */
const CLOSED: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

function listCauses(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let one = error; isFields(one) && causes.length < MAX_DEPTH; one = one.cause) causes.push(one);
  return causes;
}

/** `fetch failed` says nothing; what it was caused by does, if only by its code. */
const describe = (root: unknown, error: unknown): string =>
  String(asFields(root).message || asFields(root).code || asFields(error).message || error);
