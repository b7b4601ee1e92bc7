import { claimConversation } from './claim-conversation.ts';
import { newConversationsState } from './conversations-state.ts';
import { forgetOwner } from './forget-owner.ts';
import type { Conversations, KeepOptions } from './keep-options.ts';
import { keepTurn } from './keep-turn.ts';
import { describeServerHistory, reportPassed } from './passed.ts';
import { readTurn } from './reading.ts';

/**
 * Sessions out of requests that each bring the whole history. A request goes on from the conversation that has most of its
 * messages; where it leaves that at an earlier place, a fork of it begins there.
 */
export function createConversations(options: KeepOptions): Conversations {
  const all = newConversationsState(options);
  return {
    async keep(turn) {
      // Read and reading at once, so that each request finds what those before it brought.
      const reading = readTurn(turn, options, all.learned);
      if (reading === 'server-history') {
        const { model, format } = turn;
        reportPassed(options, { reason: reading, model, message: describeServerHistory(format.name) });
        return undefined;
      }
      return reading === undefined ? undefined : keepTurn(all, reading, claimConversation(all, reading));
    },
    find(id, tenant) {
      const found = all.live.findById(id);
      return found?.owner.tenant === tenant ? found.session : undefined;
    },
    list: () =>
      all.live
        .all()
        .flatMap(({ id, owner: { tenant }, model, session }) =>
          session === undefined ? [] : [{ id, tenant, model, session }],
        )
        .reverse(),
    status: () => ({ conversations: all.live.all().length, bytes: all.live.memory }),
    forget: (tenant, id) => forgetOwner(all, { tenant, id }),
    async close() {
      for (const conversation of all.live.all()) all.live.forget(conversation);
      await all.live.names.whenClosed();
    },
  };
}
