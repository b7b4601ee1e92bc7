import { migratePostgres, recordUsage, sumUsage, type UsageKey } from '@palimpsest/store-postgres';
import pg from 'pg';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '../src/schema/migrations.ts';
import { describeOnServer, makeDatabase, openStore } from './postgres.ts';
import { smallRecords } from './records.ts';
import { newUsage, ownerOf } from './usage.ts';

const DAY_MS = 24 * 3_600_000;
const NOON = Date.UTC(2026, 10, 18, 12);

describeOnServer('what requests used', () => {
  it('is written in one batch, of any tenants, and added up by day, model, tenant and session', async () => {
    const connectionString = await makeDatabase();
    const rows = [
      newUsage({ at: NOON - DAY_MS, model: 'a', session: 's1', compacted: true, overheadMs: 10 }),
      newUsage({ at: NOON, model: 'a', session: 's1', overheadMs: 20 }),
      newUsage({ at: NOON, model: 'b', session: 's1', tenant: 'Other & Söhne', input: 7, status: 529 }),
      newUsage({ at: NOON, model: undefined, session: undefined, tenant: 'Other & Söhne', status: 0 }),
    ];
    expect(await recordUsage({ connectionString, rows })).toBe(4);
    const sumBy = async (by: UsageKey) =>
      (await sumUsage({ connectionString, by })).map(({ name, tenant, requests }) => [name, tenant, requests]);
    expect(await sumUsage({ connectionString })).toEqual([
      {
        name: undefined,
        requests: 4,
        failed: 2,
        compacted: 1,
        input: 37,
        cacheRead: 400,
        cacheWrite: 4_000,
        output: 20,
        tokensBefore: 8_000,
        tokensAfter: 4_440,
        overheadMs: 9.5,
      },
    ]);
    expect(await sumBy('day')).toEqual([
      ['2026-11-18', undefined, 3],
      ['2026-11-17', undefined, 1],
    ]);
    expect(await sumBy('model')).toEqual([
      ['a', undefined, 2],
      [undefined, undefined, 1],
      ['b', undefined, 1],
    ]);
    expect(await sumBy('tenant')).toEqual([
      ['acme', undefined, 2],
      ['Other & Söhne', undefined, 2],
    ]);
    expect(await sumBy('session')).toEqual([
      ['s1', 'acme', 2],
      [undefined, 'Other & Söhne', 1],
      ['s1', 'Other & Söhne', 1],
    ]);
    expect(await sumUsage({ connectionString, by: 'session', atMost: 1 })).toHaveLength(1);
  });

  it('counts from a time on, up to another and without it', async () => {
    const connectionString = await makeDatabase();
    await recordUsage({ connectionString, rows: [0, 1, 2, 3].map((n) => newUsage({ at: NOON + n })) });
    const count = async (about: { from?: number; to?: number }) =>
      (await sumUsage({ connectionString, ...about }))[0]!.requests;
    expect(await count({ from: NOON + 1 })).toBe(3);
    expect(await count({ to: NOON + 1 })).toBe(1);
    expect(await count({ from: NOON + 1, to: NOON + 3 })).toBe(2);
    expect(await count({ from: NOON + 9 })).toBe(0);
  });

  it('stands once, however often a batch comes', async () => {
    const connectionString = await makeDatabase();
    const rows = [newUsage(), newUsage()];
    expect(await recordUsage({ connectionString, rows: [...rows, rows[0]!] })).toBe(2);
    expect(await recordUsage({ connectionString, rows: [...rows, newUsage()] })).toBe(1);
    expect(await recordUsage({ connectionString, rows: [] })).toBe(0);
    expect((await sumUsage({ connectionString }))[0]!.requests).toBe(3);
  });

  it('is written whatever clients call their models and providers say of tokens', async () => {
    const connectionString = await makeDatabase();
    const rows = [
      newUsage({ model: 'nul\0l', upstream: 'x'.repeat(10_000), session: 'long '.repeat(100) }),
      newUsage({ model: 'half \ud800', input: Number.NaN, output: 1.5, cacheRead: -3, cacheWrite: 1e300 }),
      newUsage({ overheadMs: Number.POSITIVE_INFINITY, status: 1e9, session: '' }),
    ];
    expect(await recordUsage({ connectionString, rows })).toBe(3);
    const [sum] = await sumUsage({ connectionString });
    expect(sum).toMatchObject({ input: 20, output: 12, cacheRead: 200 });
    const names = (await sumUsage({ connectionString, by: 'model' })).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['null', 'half \ufffd']));
  });

  it('of no tenant or of no time is refused, and so are senseless questions', async () => {
    const connectionString = await makeDatabase();
    const bad = { code: 'bad-option' };
    for (const wrong of [{ tenant: '' }, { at: Number.NaN }, { at: -1 }, { at: 8e15 }])
      await expect(recordUsage({ connectionString, rows: [newUsage(wrong)] })).rejects.toMatchObject(bad);
    await recordUsage({ connectionString, rows: [newUsage()] });
    for (const wrong of [{ by: 'colour' as UsageKey }, { from: Number.NaN }, { to: 1e300 }, { atMost: 0 }])
      await expect(sumUsage({ connectionString, ...wrong })).rejects.toMatchObject(bad);
  });

  it('has a place in a database that had none, and its sessions are as they were', async () => {
    const connectionString = await makeDatabase();
    const plain = new pg.Client(connectionString);
    await plain.connect();
    await expect(sumUsage({ connectionString })).rejects.toMatchObject({ code: 'not-found', message: /no tables/ });
    await plain.query('create schema palimpsest');
    await plain.query('create table palimpsest.migration (version int primary key, at timestamptz default now())');
    await plain.query(MIGRATIONS[0]!.replaceAll('$S', '"palimpsest"'));
    await plain.query('insert into palimpsest.migration values (1)');
    await plain.query("set palimpsest.tenant = 'acme'");
    await plain.query("insert into palimpsest.session (tenant, id, head_seq) values ('acme', 's', 0)");
    await plain.end();
    await expect(sumUsage({ connectionString })).rejects.toMatchObject({ code: 'not-found', message: /version 1/ });
    const late = recordUsage({ connectionString, rows: [newUsage()], migrate: false });
    await expect(late).rejects.toMatchObject({ code: 'unsupported-version', message: /migratePostgres/ });
    expect(await recordUsage({ connectionString, rows: [newUsage()] })).toBe(1);
    const session = await (await openStore({ connectionString, tenant: 'acme' })).open('s');
    await session.journal.append(smallRecords(0, 1));
    await session.journal.close();
  });

  it('is neither written to tables of a newer version nor read from them', async () => {
    const connectionString = await makeDatabase();
    await migratePostgres({ connectionString });
    await ownerOf(connectionString).query('insert into palimpsest.migration (version) values (99)');
    const newer = { code: 'unsupported-version', message: /version 99/ };
    await expect(recordUsage({ connectionString, rows: [newUsage()] })).rejects.toMatchObject(newer);
    await expect(sumUsage({ connectionString })).rejects.toMatchObject(newer);
    const { rows } = await ownerOf(connectionString).query('select from palimpsest.usage');
    expect(rows).toEqual([]);
  });
});
