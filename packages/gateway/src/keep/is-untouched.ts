import { type Fields, isSameJson, omitFields } from '@palimpsest/core/json';
import type { KeptBody, KeptRequest } from '@palimpsest/sdk/keeper';

/** What a body says, as opposed to what it asks for. */
const SAID = ['messages', 'input', 'contents', 'system', 'instructions', 'systemInstruction', 'tools'] as const;

/**
 * Whether nothing was ever decided about a conversation, and no less output is asked for: then what a wire would write otherwise
 * (an empty message, what stands before a server's own compaction) is the client's affair, and its bytes go as they came.
 */
export function isUntouched(asked: Fields, { body }: KeptBody, { session }: KeptRequest): boolean {
  const isDecided = session.ledger().entries.some(({ type }) => type === 'edits');
  return !isDecided && isSameJson(omitFields(asked, ...SAID), omitFields(body as Fields, ...SAID));
}
