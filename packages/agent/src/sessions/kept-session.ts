import type { Journal, JournalRecord, Stash } from '@palimpsest/core';
import type { Store, StoredSession } from '@palimpsest/store';

/** Where a session is kept, and what it held when it was opened. */
export interface KeptSession {
  readonly id: string;
  readonly records: readonly JournalRecord[];
  readonly journal: Journal;
  readonly stash: Stash;
  /** The preset that the session was led through last, where it says. */
  readonly preset?: string;
  /** So that the session goes on with this preset when it is opened again. */
  rememberPreset(preset: string): Promise<void>;
  /** A crash had left half a record; where its bytes are now. */
  readonly repaired?: string;
}

/** An agent that was started and left again leaves nothing behind: a new session comes into being with what the user says first. */
export function keepFromNowOn(store: Store, id: string, now: () => number): KeptSession {
  let opening: Promise<StoredSession> | undefined;
  let opened: StoredSession | undefined;
  let preset: string | undefined;
  /** What was decided before anything was said. */
  let waiting: readonly JournalRecord[] = [];
  const describe = (): JournalRecord => describeSession(id, now(), preset);
  const open = (): Promise<StoredSession> => {
    opening ??= store
      .open(id)
      .then(async (session) => {
        await session.journal.append([describe()]);
        opened = session;
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
    async rememberPreset(named) {
      preset = named;
      // Nothing was said yet: the first record tells.
      if (opening !== undefined) await (await opening).journal.append([describe()]);
    },
    journal: {
      // Nothing is hidden before something was said, and by then the session is open.
      get location() {
        return opened?.journal.location;
      },
      async append(records) {
        if (opening === undefined && !records.some(isSaid)) {
          waiting = [...waiting, ...records];
          return;
        }
        const { journal } = await open();
        await journal.append([...waiting, ...records]);
        waiting = [];
      },
      close: async () => (await opening)?.journal.close(),
    },
    stash: {
      put: async (text) => (await open()).stash.put(text),
      get: async (ref) => (await open()).stash.get(ref),
    },
  };
}

export async function reopenKept(store: Store, id: string, now: () => number): Promise<KeptSession> {
  const { records, journal, stash, repaired } = await store.open(id);
  const preset = records.findLast((record) => record.type === 'session' && record.preset !== undefined);
  return {
    id,
    records,
    journal,
    stash,
    ...(preset?.type === 'session' && preset.preset !== undefined ? { preset: preset.preset } : {}),
    rememberPreset: (named) => journal.append([describeSession(id, now(), named)]),
    ...(repaired === undefined ? {} : { repaired: repaired.keptAt }),
  };
}

const isSaid = (record: JournalRecord): boolean => record.type === 'message' && record.message.origin === 'human';

/** The record that a session begins with. */
export const describeSession = (id: string, at: number, preset: string | undefined): JournalRecord => ({
  v: 1,
  type: 'session',
  id,
  at,
  ...(preset === undefined ? {} : { preset }),
});
