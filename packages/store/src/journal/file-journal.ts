import { resolve } from 'node:path';
import type { Journal } from '@palimpsest/core';
import type { StoredSession } from '../store.ts';
import { StoreError, toStoreError } from '../store-error.ts';
import { appendQueue } from './append-queue.ts';
import { encodeRecord } from './journal-line.ts';
import { type JournalFile, lineAppender } from './line-appender.ts';

/** The journal of a session on disk. Closing it gives back the lock; resting does until the next append. */
export function fileJournal(journal: JournalFile): Journal & Pick<StoredSession, 'rest'> {
  const { file, handle, lock } = journal;
  const queue = appendQueue(lineAppender(journal), (error) => toStoreError(error, 'appending to', file));
  let closing: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    try {
      await queue.settle();
      await handle.close();
      await lock.release();
    } catch (error) {
      throw toStoreError(error, 'closing', file);
    }
  };

  return {
    location: resolve(file),
    async append(records) {
      if (closing !== undefined)
        throw new StoreError('closed', `${file} was closed by this writer: open the session again to append`, { file });
      return queue.add(records.map(encodeRecord));
    },
    async rest(last) {
      await last?.();
      await queue.settle();
      if (closing === undefined) await lock.rest();
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
