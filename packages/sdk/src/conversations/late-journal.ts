import type { Journal, JournalRecord, Stash } from '@palimpsest/core';

/** Where a conversation is kept once that is worth it. */
export interface LateJournal {
  readonly journal: Journal;
  readonly stash: Stash;
  rest(last: () => Promise<void>): Promise<void>;
}

type Opened = Omit<LateJournal, 'rest'> & Partial<LateJournal>;

/**
 * A journal that is opened with the first answer, or the first decision about what is shown: until then a client's next
 * request brings all there is, and many begin alike. What is said before waits in memory.
 */
export function openLate(open: () => Promise<Opened>): LateJournal {
  let opened: Promise<Opened> | undefined;
  let waiting: readonly JournalRecord[] = [];

  const openNow = (): Promise<Opened> => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };

  return {
    journal: {
      async append(records) {
        const all = [...waiting, ...records];
        if (opened === undefined && !all.some(isWorthIt)) {
          waiting = all;
          return;
        }
        const { journal } = await openNow();
        await journal.append(all);
        waiting = [];
      },
      async close() {
        await (await opened?.catch(() => undefined))?.journal.close();
      },
    },
    stash: {
      put: async (text, options) => (await openNow()).stash.put(text, options),
      get: async (ref) => (opened === undefined ? undefined : (await opened).stash.get(ref)),
    },
    async rest(last) {
      // Where nothing is worth it yet there is nothing to let others have.
      if (opened !== undefined) await (await opened).rest?.(last);
    },
  };
}

const isWorthIt = (record: JournalRecord): boolean =>
  (record.type === 'message' && record.message.role === 'assistant') ||
  (record.type === 'entry' && record.entry.type === 'edits');
