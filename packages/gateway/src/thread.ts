import { workerData } from 'node:worker_threads';
import { serveThread } from '@palimpsest/sdk/threads';
import { createBodyKeeper } from './keep/body-keeper.ts';
import { openStore, type ThreadData } from './keep/store-module.ts';

const { store, ...options } = workerData as ThreadData;

async function start() {
  const opened = store === undefined ? undefined : await openStore(store);
  const keeper = createBodyKeeper({ ...options, ...(opened === undefined ? {} : { store: opened.store }) });
  const close = async (): Promise<void> => {
    await keeper.close();
    await opened?.close?.();
  };
  return { ...keeper, close };
}

serveThread(start());
