import { type Fields, parseJson } from '@palimpsest/core/json';
import { findStringEnd } from '../http/find-string-end.ts';
import type { RawHeaders } from '../http/raw-headers.ts';
import { readSessionId } from './session-id.ts';

/**
 * The key by which requests of one conversation go to one thread: the client's own id for it, else the tenant. `fields` are those that
 * `readTopFields` found.
 */
export const peekKey = (headers: RawHeaders, fields: Fields, findTenant: (body: unknown) => string): string =>
  readSessionId(headers, fields) ?? findTenant(fields);

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d] as const;
const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a] as const;

/** Some fields of a JSON object, by a walk over its bytes that skips all others. What is no JSON has none. */
export function readTopFields(bytes: Buffer, names: readonly string[]): Fields {
  const found: Record<string, unknown> = {};
  let depth = 0;
  let name: string | undefined;
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at];
    const end = byte === QUOTE ? findStringEnd(bytes, at) : at + 1;
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
    const isOver = depth === 0 && byte === CLOSE_OBJECT;
    if (depth === 1 && byte === COLON) {
      name = String(parseJson(bytes.toString('utf8', from, at)));
      from = end;
    } else if (isOver || (depth === 1 && (byte === COMMA || byte === OPEN_OBJECT))) {
      if (name !== undefined && names.includes(name)) found[name] = parseJson(bytes.toString('utf8', from, at));
      name = undefined;
      from = end;
    }
    if (isOver) break;
    at = end;
  }
  return found;
}
