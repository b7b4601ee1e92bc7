import { asFields, asString, isFields, parseJson } from '@palimpsest/core/json';
import { findHeader, type RawHeaders } from '../http/raw-headers.ts';

/** What Claude Code puts into `metadata.user_id`, in its older form and as JSON. */
export function readUserId(body: unknown): { readonly account?: string; readonly session?: string } {
  const text = asString(asFields(asFields(body).metadata).user_id) ?? '';
  const parsed = text.startsWith('{') ? parseJson(text) : undefined;
  const account = isFields(parsed) ? asString(parsed.account_uuid) : /_account_([0-9a-f-]+)/.exec(text)?.[1];
  const session = isFields(parsed) ? asString(parsed.session_id) : /_session_([0-9a-f-]+)/.exec(text)?.[1];
  return { ...(account ? { account } : {}), ...(session ? { session } : {}) };
}

const FIRST = ['x-palimpsest-session', 'x-claude-code-session-id'];
const THEN = ['session-id', 'session_id', 'thread-id', 'x-session-id', 'x-session-affinity'];

/** What a client says which conversation this is; it groups requests and no more. Undefined for those that say nothing. */
export function readSessionId(headers: RawHeaders, body: unknown): string | undefined {
  const { prompt_cache_key, conversation } = asFields(body);
  const stated = [
    ...FIRST.map((name) => findHeader(headers, name)),
    readUserId(body).session,
    ...THEN.map((name) => findHeader(headers, name)),
    asString(prompt_cache_key),
    asString(conversation) ?? asString(asFields(conversation).id),
  ];
  return stated.map((one) => one?.trim()).find((one) => one !== undefined && one !== '' && one.length <= MOST_CHARS);
}

/** An id is no place for a novel. */
const MOST_CHARS = 512;
