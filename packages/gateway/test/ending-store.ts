import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileStore, memoryStore } from '@palimpsest/store';
import type { OpenedStore } from '../src/keep/store-module.ts';

/** What a worker thread of these tests is started with. */
export interface EndingStore {
  /** Without it conversations are in the thread's memory alone. */
  readonly folder?: string;
  /** Two numbers. The first, set to 1, ends one thread where it stands. The second is how many threads end as they start. */
  readonly ends: SharedArrayBuffer;
  /** One thread ends as it is closed; the others write this file when they are closed. */
  readonly closed?: string;
}

/** A store whose thread ends when it is told to: in the middle of a write, or between two of them. */
export default function openStore({ folder, ends, closed }: EndingStore): OpenedStore {
  const flag = new Int32Array(ends);
  if (Atomics.load(flag, 1) > 0 && Atomics.sub(flag, 1, 1) > 0) process.exit(7);
  const endIfTold = (): void => {
    if (Atomics.compareExchange(flag, 0, 1, 0) === 1) process.exit(7);
  };
  setInterval(endIfTold, 5).unref();
  const memory = memoryStore();
  return {
    async close() {
      if (closed === undefined) return;
      endIfTold();
      await sleep(300);
      writeFileSync(closed, '');
    },
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
