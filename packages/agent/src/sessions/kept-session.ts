import type { Journal, JournalRecord, Stash } from '@palimpsest/core';
import type { Store, StoredSession } from '@palimpsest/store';

/** Where a session is kept, and what it held when it was opened. */
export interface Keeping {
  readonly id: string;
  readonly records: readonly JournalRecord[];
  readonly journal: Journal;
  readonly stash: Stash;
  /** A crash had left half a record; where its bytes are now. */
  readonly repaired?: string;
}

/** An agent that was started and left again leaves nothing behind: a new session comes into being with its first record. */
export function keptFromNowOn(store: Store, id: string, now: () => number): Keeping {
  let opening: Promise<StoredSession> | undefined;
  const opened = (): Promise<StoredSession> => {
    opening ??= store
      .open(id)
      .then(async (session) => {
        await session.journal.append([{ v: 1, type: 'session', id, at: now() }]);
        return session;
      })
      .catch((error: unknown) => {
        // The disk may have room again the next time.
        opening = undefined;
        throw error;
      });
    return opening;
  };
  return {
    id,
    records: [],
    journal: {
      append: async (records) => (await opened()).journal.append(records),
      close: async () => (await opening)?.journal.close(),
    },
    stash: {
      put: async (text) => (await opened()).stash.put(text),
      get: async (ref) => (await opened()).stash.get(ref),
    },
  };
}

export async function keptBefore(store: Store, id: string): Promise<Keeping> {
  const { records, journal, stash, repaired } = await store.open(id);
  return { id, records, journal, stash, ...(repaired === undefined ? {} : { repaired: repaired.keptAt }) };
}
