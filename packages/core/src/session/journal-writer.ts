import { CompactionError } from '../errors.ts';
import type { Journal, JournalRecord } from '../ledger/ports.ts';
import { awaitAnswer, wordsOfError } from '../summary/await-answer.ts';
import type { Clock } from '../summary/summarizer.ts';

/** How long a view waits for the journal. */
export const JOURNAL_LIMIT_MS = 30_000;

/** Hands records to the journal in order, one append at a time, and keeps those that could not be written for the next try. */
export interface JournalWriter {
  write(record: JournalRecord): void;
  /**
   * Resolves when all that was written so far is in the journal. Throws what the journal threw, or that it is late: the
   * append under way then goes on, and nothing is handed to the journal twice.
   */
  saveAll(signal?: AbortSignal): Promise<void>;
}

/** `clock` is looked up as it is needed: a host may set it later. */
export function newJournalWriter(
  journal: Journal | undefined,
  clock: () => Clock | undefined = () => undefined,
): JournalWriter {
  return journal === undefined ? { write: () => {}, saveAll: async () => {} } : writeTo(journal, clock);
}

function writeTo(journal: Journal, clock: () => Clock | undefined): JournalWriter {
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
      throw saveError(waiting.length, wordsOfError(cause), cause);
    } finally {
      // In the same step as the last look at the queue: a record written later starts a drain of its own.
      writing = undefined;
    }
  }

  return {
    write(record) {
      waiting.push(record);
    },
    async saveAll(signal) {
      if (writing === undefined && waiting.length > 0) writing = Promise.resolve().then(drain);
      const under = writing;
      if (under === undefined) return;
      let isLate = false;
      const onLeft = (): void => {
        isLate = true;
      };
      try {
        await awaitAnswer(() => under, { clock: clock(), signal, limitMs: JOURNAL_LIMIT_MS, onLeft });
      } catch (error) {
        if (!isLate || signal?.aborted === true) throw error;
        throw saveError(waiting.length, `the journal did not answer within ${JOURNAL_LIMIT_MS} ms`, error);
      }
    },
  };
}

const saveError = (records: number, why: string, cause: unknown): CompactionError =>
  new CompactionError(
    'journal-failed',
    `${records} records could not be saved (${why}). They are kept and written at the next call.`,
    { cause },
  );
