import { CompactionError } from '../errors.ts';
import type { Journal, JournalRecord } from '../ledger/ports.ts';

/** Hands records to the journal in order, one append at a time, and keeps those that could not be written for the next try. */
export interface JournalWriter {
  write(record: JournalRecord): void;
  /** Resolves when all that was written so far is in the journal; throws what the journal threw. */
  saveAll(): Promise<void>;
}

export function newJournalWriter(journal: Journal | undefined): JournalWriter {
  return journal === undefined ? { write: () => {}, saveAll: async () => {} } : writeTo(journal);
}

function writeTo(journal: Journal): JournalWriter {
  const waiting: JournalRecord[] = [];
  let writing: Promise<void> | undefined;

  async function drain(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice();
        await journal.append(batch);
        waiting.splice(0, batch.length);
      }
    } catch (cause) {
      throw new CompactionError(
        'journal-failed',
        `${waiting.length} records could not be saved (${(cause as Error).message}). They are kept and written at the next call.`,
        { cause },
      );
    } finally {
      // In the same step as the last look at the queue: a record written later starts a drain of its own.
      writing = undefined;
    }
  }

  return {
    write(record) {
      waiting.push(record);
    },
    saveAll() {
      if (writing === undefined && waiting.length > 0) writing = Promise.resolve().then(drain);
      return writing ?? Promise.resolve();
    },
  };
}
