import { join } from 'node:path';
import { fileStore, memoryStore } from '@palimpsest/store';
import type { OpenedStore } from '../src/keep/store-module.ts';

/** What a worker thread of these tests is started with. */
export interface EndingStore {
  /** Without it conversations are in the thread's memory alone. */
  readonly folder?: string;
  /** Set to 1, it ends one thread where it stands. */
  readonly ends: SharedArrayBuffer;
}

/** A store whose thread ends when it is told to: in the middle of a write, or between two of them. */
export default function openStore({ folder, ends }: EndingStore): OpenedStore {
  const flag = new Int32Array(ends);
  const endIfTold = (): void => {
    if (Atomics.compareExchange(flag, 0, 1, 0) === 1) process.exit(7);
  };
  setInterval(endIfTold, 5).unref();
  const memory = memoryStore();
  return {
    store: (tenant) => {
      const store = folder === undefined ? memory : fileStore({ dir: join(folder, tenant), fsync: 'never' });
      return {
        ...store,
        async open(id, options) {
          const opened = await store.open(id, options);
          const append: typeof opened.journal.append = (records) => {
            endIfTold();
            return opened.journal.append(records);
          };
          return { ...opened, journal: { ...opened.journal, append } };
        },
      };
    },
  };
}
