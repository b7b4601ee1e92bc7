import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { connectOwner, describeOnServer, findDatabase, findServer, newTenant, openStore } from './postgres.ts';
import { smallRecords } from './records.ts';

/** As the owner of the server, past row security: what time or another machine would do. */
async function changeRow(tenant: string, change: string, values: readonly unknown[] = []): Promise<void> {
  const pool: pg.Pool = connectOwner(new URL(await findDatabase()).pathname.slice(1), findServer());
  const done = await pool.query(`update palimpsest.session set ${change} where tenant = $1`, [tenant, ...values]);
  expect(done.rowCount).toBe(1);
}

const letLapse = (tenant: string): Promise<void> =>
  changeRow(tenant, "lease_until = clock_timestamp() - interval '1 ms'");

describeOnServer('the lease of a session', () => {
  it('lapses for a holder that is silent: another takes over, and what the old one appends later is refused', async () => {
    const tenant = newTenant();
    const old = await (await openStore({ tenant })).open('s');
    await old.journal.append(smallRecords(0, 3));
    await letLapse(tenant);
    const next = await (await openStore({ tenant })).open('s');
    expect(next.records).toEqual(smallRecords(0, 3));
    const late = [old.journal.append(smallRecords(3, 1)), old.journal.append(smallRecords(4, 1))];
    for (const append of late)
      await expect(append).rejects.toMatchObject({ name: 'StoreError', code: 'conflict', message: /open it again/ });
    await next.journal.append(smallRecords(3, 2));
    await expect(old.journal.append(smallRecords(5, 1))).rejects.toMatchObject({ code: 'conflict' });
    await old.journal.close();
    await next.journal.append(smallRecords(5, 1));
    await next.journal.close();
    expect((await (await openStore({ tenant })).read('s')).records).toEqual(smallRecords(0, 6));
  });

  it('that lapsed is still good as long as nobody took it', async () => {
    const tenant = newTenant();
    const store = await openStore({ tenant });
    const session = await store.open('s');
    await letLapse(tenant);
    await session.journal.append(smallRecords(0, 1));
    await expect(store.open('s')).rejects.toMatchObject({ code: 'locked' });
    await session.journal.close();
  });

  it('of one that closes late is not taken from the one who has it now', async () => {
    const tenant = newTenant();
    const store = await openStore({ tenant });
    const old = await store.open('s');
    await letLapse(tenant);
    const next = await store.open('s');
    await old.journal.close();
    await expect(store.open('s')).rejects.toMatchObject({ code: 'locked' });
    await next.journal.append(smallRecords(0, 1));
    await next.journal.close();
  });

  it('is renewed while nothing is appended', async () => {
    const tenant = newTenant();
    const holder = await openStore({ tenant, leaseMs: 3_000 });
    const sessions = await Promise.all(['a', 'b', 'c'].map((id) => holder.open(id)));
    await sleep(4_200);
    const other = await openStore({ tenant });
    for (const id of ['a', 'b', 'c']) await expect(other.open(id)).rejects.toMatchObject({ code: 'locked' });
    for (const { journal } of sessions) await journal.close();
  });

  it('of a holder on another machine is waited for, until it lapses', async () => {
    const tenant = newTenant();
    const store = await openStore({ tenant });
    const gone = await store.open('s');
    const owner = JSON.stringify({ pid: 4_000_000, host: 'elsewhere', place: 'elsewhere pid:[1]', born: 'b:1' });
    await changeRow(tenant, "lease_owner = $2, lease_until = clock_timestamp() + interval '1500 ms'", [owner]);
    const refusal = { code: 'locked', holder: { pid: 4_000_000, host: 'elsewhere' }, message: /elsewhere/ };
    await expect(store.open('s')).rejects.toMatchObject(refusal);
    const next = await store.open('s', { waitMs: 20_000 });
    await expect(gone.journal.append(smallRecords(0, 1))).rejects.toMatchObject({ code: 'conflict' });
    await next.journal.close();
  });

  it('does not outlive its session: a writer of a deleted one cannot write into another of that name', async () => {
    const tenant = newTenant();
    const store = await openStore({ tenant });
    const old = await store.open('s');
    await letLapse(tenant);
    await store.delete('s');
    await expect(old.journal.append(smallRecords(0, 1))).rejects.toMatchObject({ code: 'conflict' });
    const next = await store.open('s');
    expect(next.records).toEqual([]);
    await next.journal.append(smallRecords(0, 1));
    await next.journal.close();
  });
});
