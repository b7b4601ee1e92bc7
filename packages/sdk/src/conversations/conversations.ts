import { newConversationsState } from './conversations-state.ts';
import type { Conversations, KeepOptions } from './keep-options.ts';
import { keepTurn } from './keep-turn.ts';
import { readTurn } from './reading.ts';

/**
 * Sessions out of requests that each bring the whole history. Ids hash the running prefix, so the newest message's id
 * finds the conversation; one that was changed further up is another conversation.
 */
export function createConversations(options: KeepOptions): Conversations {
  const all = newConversationsState(options);
  return {
    async keep(turn) {
      const reading = readTurn(turn, options, all.learned);
      return reading === undefined ? undefined : keepTurn(all, reading);
    },
  };
}
