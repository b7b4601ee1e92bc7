import { randomBytes } from 'node:crypto';
import type { Session, SessionOptions } from '@palimpsest/core';
import { type Conversation, newConversation, type Opening } from './conversation.ts';
import type { ConversationsState } from './conversations-state.ts';
import { type FoundAt, openConversation } from './open-conversation.ts';
import { type Owner, type Reading, requestInfoOf } from './reading.ts';

/**
 * A conversation whose session begins with its first request; `from` is what it leaves, where it shares a beginning, `stored`
 * where the store is looked into first.
 */
export function beginConversation(
  all: ConversationsState,
  reading: Reading<unknown>,
  from: FoundAt | undefined,
  stored: string | undefined,
): Conversation {
  const { on } = all.options;
  const options: Omit<SessionOptions, 'window'> =
    on === undefined
      ? all.sessionOptions
      : { ...all.sessionOptions, on: (event) => on({ ...event, session: made.id }) };
  const made: Conversation = newConversation(
    `s${randomBytes(8).toString('hex')}`,
    reading.owner,
    options,
    (own, told) => openConversation(all, own, told, { from, stored }),
    (session, opening, told) => tellSession(all, made.id, session, opening, told),
  );
  return all.live.claim(made, reading);
}

function tellSession(
  { options }: ConversationsState,
  id: string,
  session: Session,
  { parent }: Opening,
  { turn, owner }: Reading<unknown>,
): void {
  const request = { ...requestInfoOf(turn), ...ownerInfo(owner) };
  options.onSession?.(session, { id, request, ...(parent === undefined ? {} : { parent }) });
}

const ownerInfo = ({ tenant, id }: Owner) => ({ tenant, ...(id === undefined ? {} : { id }) });
