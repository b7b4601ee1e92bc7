import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnServer, findDatabase, newTenant, openStore } from './postgres.ts';
import { smallRecords } from './records.ts';

describeOnServer('two tenants on one server', () => {
  let plain: pg.Client;
  const [one, other] = [newTenant(), newTenant()];
  let ref = '';
  beforeAll(async () => {
    const session = await (await openStore({ tenant: one })).open('s');
    await session.journal.append(smallRecords(0, 2));
    ref = await session.stash.put('secret of one');
    await session.journal.close();
    plain = new pg.Client(await findDatabase());
    await plain.connect();
  });
  afterAll(() => plain.end());

  it('see nothing of each other, though their sessions and texts have the same names', async () => {
    const store = await openStore({ tenant: other });
    expect(await store.list()).toEqual([]);
    await expect(store.read('s')).rejects.toMatchObject({ code: 'not-found' });
    const session = await store.open('s');
    expect(session.records).toEqual([]);
    expect(await session.stash.get(ref)).toBeUndefined();
    await session.journal.append(smallRecords(5, 1));
    expect(await session.stash.put('secret of one')).toBe(ref);
    await session.journal.close();
    await store.delete('s');
    const first = await (await openStore({ tenant: one })).read('s');
    expect(first.records).toEqual(smallRecords(0, 2));
    expect(await first.stash.get(ref)).toBe('secret of one');
  });

  it('are kept apart by the server too: a statement that forgets the tenant gets no row, and writes none', async () => {
    for (const table of ['session', 'record', 'stash', 'stash_use'])
      expect((await plain.query(`select * from palimpsest.${table}`)).rows, table).toEqual([]);
    await plain.query('begin');
    await plain.query(`set local palimpsest.tenant = '${one}'`);
    expect((await plain.query('select * from palimpsest.record')).rows.length).toBe(2);
    await plain.query('rollback');
    await plain.query('begin');
    await plain.query(`set local palimpsest.tenant = '${other}'`);
    expect((await plain.query('select * from palimpsest.record where tenant = $1', [one])).rows).toEqual([]);
    expect((await plain.query('delete from palimpsest.session')).rowCount).toBe(0);
    await expect(
      plain.query('insert into palimpsest.session (tenant, id) values ($1, $2)', [one, 'x']),
    ).rejects.toThrow(/row-level security/);
    await plain.query('rollback');
  });

  it('leave nothing of theirs on a connection that the other gets next', async () => {
    const pool = new pg.Pool({ connectionString: await findDatabase(), max: 1 });
    await (await openStore({ pool, tenant: one })).list();
    expect((await pool.query("select current_setting('palimpsest.tenant', true) as tenant")).rows[0].tenant ?? '').toBe(
      '',
    );
    expect(await (await openStore({ pool, tenant: other })).list()).toEqual([]);
    await pool.end();
  });
});
