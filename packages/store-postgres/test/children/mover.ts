// Moves through the sessions at random, appends a few numbered records to each and says which, until it is killed.
import { writeSync } from 'node:fs';
import { StoreError } from '@palimpsest/store';
import { numberedRecord } from '@palimpsest/testing/children/numbered-record';
import { postgresStore } from '../../src/postgres-store.ts';

const [connectionString = '', tenant = '', sessions = '', appends = ''] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);
const store = postgresStore({ connectionString, tenant });
await store.list();
say('ready');

const visit = async (id: string): Promise<boolean> => {
  const session = await store.open(id);
  for (const [i, record] of session.records.entries())
    if (JSON.stringify(record) !== JSON.stringify(numberedRecord(i, 200))) say(`wrong ${id} ${i}`);
  let next = session.records.length;
  const stopAt = Math.min(Number(appends), next + 1 + Math.floor(Math.random() * 20));
  for (; next < stopAt; next++) {
    await session.journal.append([numberedRecord(next, 200)]);
    say(`acknowledged ${id} ${next}`);
  }
  await session.journal.close();
  return next >= Number(appends);
};

const work = async (): Promise<void> => {
  const open = new Set(Array.from({ length: Number(sessions) }, (_, i) => `s${i}`));
  while (open.size > 0) {
    const id = [...open][Math.floor(Math.random() * open.size)] ?? '';
    const isFull = await visit(id).catch((error: unknown) => {
      // Another process is there; it may be one that was killed.
      if (error instanceof StoreError && error.code === 'locked') return false;
      throw error;
    });
    if (isFull) open.delete(id);
  }
};
await Promise.all(Array.from({ length: 4 }, work));
await store.close();
say('done');
