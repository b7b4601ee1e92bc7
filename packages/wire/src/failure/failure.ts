import { asFields, asList, asNumber, asString, isFields } from '@palimpsest/core/json';
import type { Failure, HeaderSource } from '../wire.ts';
import { type ErrorBody, readErrorBody } from './error-body.ts';
import { overflowOf } from './overflow.ts';

const RATE = /rate_limit|resource_exhausted|throttling|too_many_requests/;
const OVERLOAD = /overloaded|slow_down|engine_overloaded/;
const QUOTA = /insufficient_quota|billing|payment_required|credit/;
const AUTH = /authentication|permission|unauthenticated|invalid_api_key|access_denied/;
const SERVER = /api_error|server_error|internal|timeout|unavailable|deadline_exceeded/;

/**
 * The kinds of failure are the same with every vendor; a wire adds where in a good response one may hide. A status of
 * 200 stands for an error event inside a stream.
 */
export function readFailure(given: number, body: unknown, headers?: HeaderSource): Failure | undefined {
  const part = errorPart(given, body);
  const error = readErrorBody(part);
  if (given < 400 && error === undefined) return undefined;
  // Gateways and Gemini's streams answer 200 and put the real status into the error.
  const inner = asNumber(error?.details.code) ?? 0;
  const status = given < 400 && inner >= 400 ? inner : given;
  const code = (pattern: RegExp): boolean => error?.codes.some((one) => pattern.test(one)) === true;
  const message = error?.text || error?.codes[0] || `status ${status}, no message`;
  const retry = retryAfter(error, headers);

  if (status === 402 || ((status === 429 || status < 400) && code(QUOTA))) return { type: 'quota', message };
  if (status === 429 || (status < 400 && code(RATE))) return { type: 'rate-limited', message, ...retry };
  if (status === 529 || ((status >= 500 || status < 400) && code(OVERLOAD)))
    return { type: 'overloaded', message, ...retry };
  const overflow = overflowOf(status, part);
  if (overflow !== undefined) return { type: 'overflow', message, ...overflow };
  if (status === 401 || status === 403 || (status < 400 && code(AUTH))) return { type: 'auth', message };
  if (status >= 500 || status === 408 || (status < 400 && code(SERVER))) return { type: 'server', message, ...retry };
  return { type: 'invalid', message };
}

/** An error status makes the whole body an error; a good one only what the body itself calls so. */
function errorPart(status: number, body: unknown): unknown {
  if (status >= 400) return body;
  const fields = asFields(Array.isArray(body) ? body[0] : body);
  const nested = asFields(fields.response).error;
  const error = isFields(fields.error) || typeof fields.error === 'string' ? fields.error : undefined;
  // `event: error` of the Responses API has its message at the top.
  return error ?? (isFields(nested) ? nested : fields.type === 'error' ? fields : undefined);
}

function retryAfter(
  error: ErrorBody | undefined,
  headers: HeaderSource | undefined,
): { readonly retryAfterMs?: number } {
  const ms = Number(header(headers, 'retry-after-ms') ?? Number.NaN);
  if (ms >= 0) return { retryAfterMs: ms };
  const after = header(headers, 'retry-after');
  const seconds = Number(after ?? Number.NaN);
  if (seconds >= 0) return { retryAfterMs: Math.ceil(seconds * 1000) };
  const date = after === undefined ? Number.NaN : Date.parse(after);
  if (!Number.isNaN(date)) return { retryAfterMs: Math.max(0, date - Date.now()) };
  // Gemini states it in the body: { '@type': '…RetryInfo', retryDelay: '34s' }.
  for (const detail of asList(error?.details.details)) {
    const delay = /^([\d.]+)s$/.exec(asString(asFields(detail).retryDelay) ?? '');
    if (delay !== null) return { retryAfterMs: Math.ceil(Number(delay[1]) * 1000) };
  }
  return {};
}

function header(headers: HeaderSource | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined;
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() !== name || value === undefined || value === null) continue;
    return Array.isArray(value) ? value[0] : String(value);
  }
  return undefined;
}
