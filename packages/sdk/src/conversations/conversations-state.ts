import type { Session, SessionOptions } from '@palimpsest/core';
import { type Conversation, newConversation } from './conversation.ts';
import type { StoredConversation } from './conversation-state.ts';
import type { KeepOptions } from './keep-options.ts';
import { type LiveConversations, newLiveConversations } from './live-conversations.ts';
import { openStored } from './open-stored.ts';
import { type Messages, requireWindow } from './reading.ts';

/** Where a provider states its window, one smaller body is enough; where it does not, each is a guess of half the size. */
export const MOST_GUESSES = 3;

/** All that a host's conversations share. */
export interface ConversationsState {
  readonly options: KeepOptions;
  readonly sessionOptions: Omit<SessionOptions, 'window'>;
  readonly onSession: (session: Session) => void;
  readonly live: LiveConversations;
  /** Windows that providers stated in refusals, by model: smaller than what we were told. */
  readonly learned: Map<string, number>;
}

export function newConversationsState(options: KeepOptions): ConversationsState {
  const { window, store: _, onSession = () => {}, ...rest } = options;
  if (typeof window !== 'function') requireWindow(window, 'any model');
  return {
    options,
    sessionOptions: { overflowTries: MOST_GUESSES, ...rest },
    onSession,
    live: newLiveConversations(),
    learned: new Map(),
  };
}

export function beginConversation(all: ConversationsState, messages: Messages): Conversation {
  const conversation = newConversation(all.sessionOptions, (own, told) => openFor(all, own, told), all.onSession);
  return all.live.add(conversation, messages);
}

/** What the store holds of a conversation, which gets its name there. */
async function openFor(
  { options, live }: ConversationsState,
  conversation: Conversation,
  messages: Messages,
): Promise<StoredConversation | undefined> {
  if (options.store === undefined) return undefined;
  return openStored(options.store, messages, (name) => {
    if (live.isTaken(name, conversation)) return false;
    conversation.name = name;
    return true;
  });
}
