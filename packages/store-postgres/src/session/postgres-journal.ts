import type { Journal } from '@palimpsest/core';
import { type StoredSession, StoreError } from '@palimpsest/store';
import { appendQueue, encodeRecord } from '@palimpsest/store/authors';
import { toServerError } from '../connection/server-error.ts';
import type { RecordAppender } from './record-appender.ts';

/** The journal of a session on the server. Closing it gives back the lease; resting lets it lapse. */
export function postgresJournal(id: string, appender: RecordAppender): Journal & Pick<StoredSession, 'rest'> {
  const queue = appendQueue(appender.append, (error) => toServerError(error, `appending to session "${id}"`));
  let closing: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    await queue.settle();
    await appender.release();
  };

  return {
    async append(records) {
      if (closing !== undefined)
        throw new StoreError('closed', `session "${id}" was closed by this writer: open it again to append`);
      return queue.add(records.map(encodeRecord));
    },
    async rest(last) {
      if (closing !== undefined) return last?.();
      await appender.rest(async () => {
        await last?.();
        await queue.settle();
      });
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
