import { migratePostgres } from '@palimpsest/store-postgres';
import { expect, it } from 'vitest';
import { connectOwner, describeOnServer, makeDatabase, newTenant, openStore } from './postgres.ts';
import { smallRecords } from './records.ts';

const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

describeOnServer('the tables', () => {
  it('are made once, however many start at once, and a second time changes nothing', async () => {
    const connectionString = await makeDatabase();
    const made = await Promise.all(Array.from({ length: 8 }, () => migratePostgres({ connectionString })));
    expect(made.filter(({ from, to }) => from === 0 && to > 0).length).toBe(1);
    expect(await migratePostgres({ connectionString })).toEqual({ from: made[0]!.to, to: made[0]!.to });
    const stores = await Promise.all(
      Array.from({ length: 8 }, () => openStore({ connectionString, tenant: newTenant(), schema: 'another' })),
    );
    await Promise.all(stores.map((store) => store.list()));
    const owner = connectOwner(databaseOf(connectionString));
    const steps = Array.from({ length: made[0]!.to }, (_, i) => ({ version: i + 1 }));
    for (const schema of ['palimpsest', 'another'])
      expect((await owner.query(`select version from ${schema}.migration order by 1`)).rows).toEqual(steps);
  });

  it('of a newer version are refused, and left as they are', async () => {
    const connectionString = await makeDatabase();
    await migratePostgres({ connectionString });
    await connectOwner(databaseOf(connectionString)).query('insert into palimpsest.migration (version) values (99)');
    const newer = { code: 'unsupported-version', message: /version 99/ };
    await expect(migratePostgres({ connectionString })).rejects.toMatchObject(newer);
    await expect((await openStore({ connectionString, tenant: 't' })).list()).rejects.toMatchObject(newer);
  });

  it('are not made with `migrate: false`; who has only the rights that the README names can use them', async () => {
    const owners = await makeDatabase();
    const worker = new URL(await makeDatabase());
    worker.pathname = new URL(owners).pathname;
    const options = { connectionString: worker.href, tenant: 't', migrate: false } as const;
    const early = await openStore(options);
    await expect(early.open('s')).rejects.toMatchObject({ code: 'unsupported-version', message: /migratePostgres/ });
    await migratePostgres({ connectionString: owners });
    await expect(early.open('s')).rejects.toMatchObject({ code: 'denied', message: /README/ });
    const owner = connectOwner(databaseOf(owners));
    await owner.query(`grant usage on schema palimpsest to ${worker.username}`);
    await owner.query(`grant select, insert, update, delete on all tables in schema palimpsest to ${worker.username}`);
    const session = await early.open('s');
    await session.journal.append(smallRecords(0, 1));
    await session.stash.put('text');
    await session.journal.close();
    await early.delete('s');
    expect(await early.list()).toEqual([]);
  });

  it('wait for those who use them only for a moment, so that nobody queues up behind; then it is said', async () => {
    const connectionString = await makeDatabase();
    const user = await connectOwner(databaseOf(connectionString)).connect();
    await user.query('begin');
    await user.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', ['palimpsest palimpsest']);
    const before = performance.now();
    await expect(migratePostgres({ connectionString, retryMs: 0 })).rejects.toMatchObject({
      code: 'unavailable',
      message: /lock timeout/,
    });
    expect(performance.now() - before).toBeLessThan(10_000);
    await user.query('rollback');
    user.release();
    expect((await migratePostgres({ connectionString })).from).toBe(0);
  });
});
