import { isFields } from '@palimpsest/core/json';

const CODES = ['UND_ERR_SOCKET', 'UND_ERR_BODY_TIMEOUT', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'];
const WORDS = /^terminated$|other side closed|fetch failed|socket hang up|premature close/i;
const MAX_DEPTH = 5;

/** The connection failed, not the provider: whatever was asked can be asked again. */
export function isBrokenConnection(error: unknown, depth = 0): boolean {
  if (!isFields(error) || depth > MAX_DEPTH || error.name === 'AbortError') return false;
  if (CODES.includes(String(error.code)) || WORDS.test(String(error.message))) return true;
  return isBrokenConnection(error.cause, depth + 1);
}
