import type { Store } from '@palimpsest/store';

/** A store of which a test can tell whether anybody holds a session at the moment. */
export interface WatchedStore extends Store {
  /** Sessions that are open and do not rest. */
  countHeld(): number;
}

export function watchWriters(store: Store): WatchedStore {
  const held = new Set<object>();
  return {
    ...store,
    countHeld: () => held.size,
    async open(id, options) {
      const session = await store.open(id, options);
      const { journal } = session;
      const leave = (): void => void held.delete(session);
      held.add(session);
      return {
        ...session,
        journal: {
          ...journal,
          append(records) {
            held.add(session);
            return journal.append(records);
          },
          close: async () => {
            await journal.close?.();
            leave();
          },
        },
        rest: (last) => session.rest(last).finally(leave),
      };
    },
  };
}
