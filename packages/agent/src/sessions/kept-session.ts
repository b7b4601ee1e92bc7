import type { Journal, JournalRecord, Stash } from '@palimpsest/core';
import type { Store, StoredSession } from '@palimpsest/store';

/** Where a session is kept, and what it held when it was opened. */
export interface KeptSession {
  readonly id: string;
  readonly records: readonly JournalRecord[];
  readonly journal: Journal;
  readonly stash: Stash;
  /** A crash had left half a record; where its bytes are now. */
  readonly repaired?: string;
}

/** An agent that was started and left again leaves nothing behind: a new session comes into being with its first record. */
export function keepFromNowOn(store: Store, id: string, now: () => number): KeptSession {
  let opening: Promise<StoredSession> | undefined;
  const open = (): Promise<StoredSession> => {
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
      append: async (records) => (await open()).journal.append(records),
      close: async () => (await opening)?.journal.close(),
    },
    stash: {
      put: async (text) => (await open()).stash.put(text),
      get: async (ref) => (await open()).stash.get(ref),
    },
  };
}

export async function reopenKept(store: Store, id: string): Promise<KeptSession> {
  const { records, journal, stash, repaired } = await store.open(id);
  return { id, records, journal, stash, ...(repaired === undefined ? {} : { repaired: repaired.keptAt }) };
}
