import { setTimeout as sleep } from 'node:timers/promises';
import { fastOrDeep } from '@palimpsest/testing';
import { type PostgresServer, startPostgres } from '@palimpsest/testing/postgres-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnServer, makeDatabase, newTenant, openStore } from './postgres.ts';
import { smallRecords } from './records.ts';

const RESTARTS = fastOrDeep(3, 30);

describeOnServer('a server that is restarted in the middle', () => {
  // Not the one that the other tests share: they run meanwhile.
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await makeDatabase(server);
  });
  afterAll(() => server.stop());

  it('holds up those who write, and nothing that it acknowledged is lost or doubled', async () => {
    const tenant = newTenant();
    const store = await openStore({ connectionString: url, tenant });
    const ids = ['a', 'b', 'c'];
    const counts = new Map(ids.map((id) => [id, 0]));
    let isOver = false;
    const write = async (id: string): Promise<void> => {
      const session = await store.open(id);
      for (let count = 0; !isOver; ) {
        await session.journal.append(smallRecords(count, 1));
        counts.set(id, ++count);
        if (count % 10 === 0) await session.stash.put(`text ${count}`);
      }
      await session.journal.close();
    };
    const writing = Promise.all(ids.map(write));
    const awaitProgress = async (): Promise<void> => {
      const before = new Map(counts);
      while (ids.some((id) => counts.get(id)! < before.get(id)! + 3)) await Promise.race([sleep(5), writing]);
    };
    for (let i = 0; i < RESTARTS; i++) {
      await awaitProgress();
      await sleep(Math.random() * 50);
      await server.restart(() => sleep(Math.random() * 300));
    }
    await awaitProgress();
    isOver = true;
    await writing;
    for (const [id, count] of counts) expect((await store.read(id)).records).toEqual(smallRecords(0, count));
    const sum = [...counts.values()].reduce((a, b) => a + b);
    console.log(`${RESTARTS} restarts, ${sum} appends acknowledged, none lost, none doubled`);
  });

  it('is told as unavailable to those who do not wait, and they go on when it is back', async () => {
    const store = await openStore({ connectionString: url, tenant: newTenant(), retryMs: 0 });
    const session = await store.open('s');
    await session.journal.append(smallRecords(0, 1));
    await server.restart(async () => {
      await expect(session.journal.append(smallRecords(1, 1))).rejects.toMatchObject({
        name: 'StoreError',
        code: 'unavailable',
        message: /Nothing acknowledged is lost/,
      });
      await expect(store.read('s')).rejects.toMatchObject({ code: 'unavailable' });
    });
    await session.journal.append(smallRecords(1, 2));
    await session.journal.close();
    expect((await store.read('s')).records).toEqual(smallRecords(0, 3));
  });
});
