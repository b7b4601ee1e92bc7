import { hash } from 'node:crypto';
import type { Message, MessageId } from '@palimpsest/core';
import { inSteps, type Steps } from '@palimpsest/core/steps';

/** A message before it has an id. */
export type Unnamed = Pick<Message, 'role' | 'origin' | 'parts'>;

const ID_CHARS = 22;

/** The ids of messages, one at a step. */
export function* hashMessages(messages: readonly Pick<Message, 'role' | 'parts'>[]): Steps<readonly MessageId[]> {
  const ids: MessageId[] = [];
  let running = '';
  for (const { role, parts } of messages) {
    running = hash('sha256', `${running}${role}${JSON.stringify(parts)}`);
    // As one piece: joined of two it would hold both, and the whole hash with them, for as long as there is a session.
    ids.push(Buffer.from(`m-${running}`, 'latin1').toString('latin1', 0, ID_CHARS));
    yield;
  }
  return ids;
}

/**
 * Ids for hosts that have none: each is a hash of everything up to its message, so the same prefix has the same ids in
 * every request, and equal messages at two places have two.
 */
export const messageIds: (messages: readonly Pick<Message, 'role' | 'parts'>[]) => readonly MessageId[] =
  inSteps(hashMessages);

/** The messages under their ids, in steps. */
export function* stepsOfNames(messages: readonly Unnamed[]): Steps<readonly Message[]> {
  const ids = yield* hashMessages(messages);
  return messages.map(({ role, origin, parts }, i) => ({ id: ids[i]!, role, origin, parts }));
}

/** The messages with ids that depend on nothing but what they say and where they stand. */
export const nameMessages: (messages: readonly Unnamed[]) => readonly Message[] = inSteps(stepsOfNames);
