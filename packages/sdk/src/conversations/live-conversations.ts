import type { Message } from '@palimpsest/core';
import type { Conversation } from './conversation.ts';
import type { Messages } from './reading.ts';

/** An evicted conversation costs a compaction anew when it comes back, and nothing else. */
const MOST_CONVERSATIONS = 64;

/** The conversations at hand, by their first and their newest message. */
export interface LiveConversations {
  /** The one that these messages continue. */
  find(messages: Messages): Conversation | undefined;
  /** The one that these messages are all of. */
  findExact(messages: Messages): Conversation | undefined;
  /** Moves it to the end of the line of those that may be evicted. */
  add(conversation: Conversation, messages: Messages): Conversation;
  forget(conversation: Conversation): void;
  /** Whether another one has this name in the store. */
  isTaken(name: string, conversation: Conversation): boolean;
}

export function newLiveConversations(): LiveConversations {
  const live = new Map<string, Conversation>();

  function forget(conversation: Conversation): void {
    if (live.get(conversation.key) === conversation) live.delete(conversation.key);
    conversation.close();
  }

  return {
    find(messages) {
      for (const last of messages.toReversed()) {
        const found = live.get(keyOf(messages, last));
        if (found !== undefined) return found;
      }
      return undefined;
    },
    findExact: (messages) => live.get(keyOf(messages)),
    add(conversation, messages) {
      live.delete(conversation.key);
      conversation.key = keyOf(messages);
      live.set(conversation.key, conversation);
      const [oldest] = live.values();
      if (live.size > MOST_CONVERSATIONS && oldest !== undefined) forget(oldest);
      return conversation;
    },
    forget,
    isTaken: (name, conversation) => [...live.values()].some((other) => other !== conversation && other.name === name),
  };
}

const keyOf = (messages: Messages, last: Message = messages.at(-1) ?? messages[0]): string =>
  `${messages[0].id} ${last.id}`;
