import { systemLoop } from '@palimpsest/core';
import { claimConversation } from './claim-conversation.ts';
import { newConversationsState } from './conversations-state.ts';
import { forgetOwner } from './forget-owner.ts';
import type { Conversations, KeepOptions } from './keep-options.ts';
import { keepTurn } from './keep-turn.ts';
import { describeServerHistory, reportPassed } from './passed.ts';
import { readTurn } from './reading.ts';
import { newReadingLine } from './reading-line.ts';

/**
 * Sessions out of requests that each bring the whole history. A request goes on from the conversation that has most of its
 * messages; where it leaves that at an earlier place, a fork of it begins there.
 */
export function createConversations(options: KeepOptions): Conversations {
  const all = newConversationsState(options);
  const readInLine = newReadingLine(options.ports?.loop ?? systemLoop);
  return {
    async keep(turn) {
      const claimed = await readInLine(function* () {
        const reading = yield* readTurn(turn, options, all.learned);
        if (reading === undefined || reading === 'server-history') return reading;
        return { reading, conversation: claimConversation(all, reading) };
      });
      if (claimed === 'server-history') {
        const { model, format } = turn;
        reportPassed(options, { reason: claimed, model, message: describeServerHistory(format.name) });
        return undefined;
      }
      return claimed === undefined ? undefined : keepTurn(all, claimed.reading, claimed.conversation);
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
    async forget(tenant, id) {
      // Behind the requests that came before, so that each of them has its conversation by then.
      const finish = await readInLine(function* () {
        yield;
        return forgetOwner(all, { tenant, id });
      });
      await finish();
    },
    async close() {
      for (const conversation of all.live.all()) all.live.forget(conversation);
      await all.live.names.whenClosed();
    },
  };
}
