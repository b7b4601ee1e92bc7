import { dropOldUsage, migratePostgres, recordUsage, sumUsage } from '@palimpsest/store-postgres';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { describeOnServer, makeDatabase } from './postgres.ts';
import { listMonths, newUsage, ownerOf } from './usage.ts';

async function connectAs(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client(connectionString);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describeOnServer('tenants and rights', () => {
  it('a tenant sees what it used itself, and nothing of another', async () => {
    const connectionString = await makeDatabase();
    await recordUsage({
      connectionString,
      rows: [newUsage({ tenant: 'one' }), newUsage({ tenant: 'two', input: 77 })],
    });
    expect((await sumUsage({ connectionString }))[0]).toMatchObject({ requests: 2, input: 87 });
    expect((await sumUsage({ connectionString, tenant: 'one' }))[0]).toMatchObject({ requests: 1, input: 10 });
    expect((await sumUsage({ connectionString, tenant: 'two', by: 'tenant' })).map(({ name }) => name)).toEqual([
      'two',
    ]);
    expect((await sumUsage({ connectionString, tenant: 'three' }))[0]).toMatchObject({ requests: 0, input: 0 });
  });

  it('the server keeps them apart too, for the owner of the tables and by the name of a month', async () => {
    const connectionString = await makeDatabase();
    await recordUsage({ connectionString, rows: [newUsage({ tenant: 'one' }), newUsage({ tenant: 'two' })] });
    const plain = await connectAs(connectionString);
    const count = async (table: string) => (await plain.query(`select from palimpsest.${table}`)).rowCount;
    expect([await count('usage'), await count('usage_2026_11')]).toEqual([0, 0]);
    await plain.query("set palimpsest.tenant = 'one'");
    expect([await count('usage'), await count('usage_2026_11')]).toEqual([1, 0]);
    expect((await plain.query("delete from palimpsest.usage where tenant = 'two'")).rowCount).toBe(0);
    const insert = "(tenant, at, id) values ('two', '2026-11-18', 'x')";
    for (const table of ['usage', 'usage_2026_11'])
      await expect(plain.query(`insert into palimpsest.${table} ${insert}`)).rejects.toThrow(/row-level security/);
  });

  it('who has only the rights that the README names can write in a new month, add up and drop; others make and drop none', async () => {
    const owners = await makeDatabase();
    await migratePostgres({ connectionString: owners });
    const worker = new URL(await makeDatabase());
    worker.pathname = new URL(owners).pathname;
    const connectionString = worker.href;
    const owner = ownerOf(owners);
    await owner.query(`grant usage on schema palimpsest to ${worker.username}`);
    await owner.query(`grant select, insert, update, delete on all tables in schema palimpsest to ${worker.username}`);
    const rows = [newUsage({ at: Date.UTC(2026, 0, 1) })];
    const refused = { code: 'denied', message: /README/ };
    await expect(recordUsage({ connectionString, rows })).rejects.toMatchObject(refused);
    await expect(dropOldUsage({ connectionString, olderThanMs: 0 })).rejects.toMatchObject(refused);
    await owner.query(`grant execute on all functions in schema palimpsest to ${worker.username}`);
    expect(await recordUsage({ connectionString, rows })).toBe(1);
    expect((await sumUsage({ connectionString }))[0]!.requests).toBe(1);
    expect(await dropOldUsage({ connectionString, olderThanMs: 0 })).toEqual(['usage_2026_01']);
    expect(await listMonths(owners)).toEqual([]);
  });
});
