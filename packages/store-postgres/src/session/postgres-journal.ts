import type { Journal } from '@palimpsest/core';
import { StoreError } from '@palimpsest/store';
import { appendQueue, encodeRecord } from '@palimpsest/store/authors';
import { toServerError } from '../connection/server-error.ts';
import type { RecordAppender } from './record-appender.ts';

/** The journal of a session on the server. Closing it gives back the lease. */
export function postgresJournal(id: string, appender: RecordAppender): Journal {
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
    close() {
      closing ??= close();
      return closing;
    },
  };
}
