import { beginConversation } from './begin-conversation.ts';
import type { Conversation } from './conversation.ts';
import type { ConversationsState } from './conversations-state.ts';
import type { Reading } from './reading.ts';

/**
 * The conversation that a request is part of, which from now on has its messages: found and claimed in one step, so that of
 * two requests the second sees what the first one brought. `stored` is the name under which the store has it, where that is known.
 */
export function claimConversation(all: ConversationsState, reading: Reading<unknown>, stored?: string): Conversation {
  const found = all.live.find(reading);
  if (found === undefined) return beginConversation(all, reading, undefined, stored);
  const { conversation, depth } = found;
  const { messages, besides, owner } = reading;
  const isAll = depth === conversation.told.length && conversation.owner.id === owner.id;
  // The same words under another system prompt are another caller's: a title, a check. Its usage would mislead.
  const isOtherCaller = depth === messages.length && conversation.besides !== besides;
  if (isAll && !isOtherCaller) return all.live.claim(conversation, reading);
  // Before the first answer a beginning is anyone's, and nothing was decided about it.
  const isAnswered = messages.slice(0, depth).some(({ role }) => role === 'assistant');
  return beginConversation(all, reading, isAnswered ? found : undefined, stored);
}
