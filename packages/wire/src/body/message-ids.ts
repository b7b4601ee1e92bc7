import { createHash } from 'node:crypto';
import type { Message, MessageId } from '@palimpsest/core';

/** A message before it has an id. */
export type Unnamed = Pick<Message, 'role' | 'origin' | 'parts'>;

/**
 * Ids for hosts that have none: each is a hash of everything up to its message, so the same prefix has the same ids in
 * every request, and equal messages at two places have two.
 */
export function messageIds(messages: readonly Pick<Message, 'role' | 'parts'>[]): readonly MessageId[] {
  let running = '';
  return messages.map(({ role, parts }) => {
    running = createHash('sha256')
      .update(`${running}${role}${JSON.stringify(parts)}`)
      .digest('hex');
    return `m-${running.slice(0, 20)}`;
  });
}

/** The messages with ids that depend on nothing but what they say and where they stand. */
export function nameMessages<M extends Unnamed>(messages: readonly M[]): readonly Message[] {
  const ids = messageIds(messages);
  return messages.map(({ role, origin, parts }, i) => ({ id: ids[i]!, role, origin, parts }));
}
