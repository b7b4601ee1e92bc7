import { hash } from 'node:crypto';
import type { Message, MessageId } from '@palimpsest/core';

/** A message before it has an id. */
export type Unnamed = Pick<Message, 'role' | 'origin' | 'parts'>;

const ID_CHARS = 22;

/**
 * Ids for hosts that have none: each is a hash of everything up to its message, so the same prefix has the same ids in
 * every request, and equal messages at two places have two.
 */
export function messageIds(messages: readonly Pick<Message, 'role' | 'parts'>[]): readonly MessageId[] {
  const ids: MessageId[] = [];
  let running = '';
  for (const { role, parts } of messages) {
    running = hash('sha256', `${running}${role}${JSON.stringify(parts)}`);
    // As one piece: joined of two it would hold both, and the whole hash with them, for as long as there is a session.
    ids.push(Buffer.from(`m-${running}`, 'latin1').toString('latin1', 0, ID_CHARS));
  }
  return ids;
}

/** The messages with ids that depend on nothing but what they say and where they stand. */
export function nameMessages(messages: readonly Unnamed[]): readonly Message[] {
  const ids = messageIds(messages);
  return messages.map(({ role, origin, parts }, i) => ({ id: ids[i]!, role, origin, parts }));
}
