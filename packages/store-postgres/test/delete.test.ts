import { setTimeout as sleep } from 'node:timers/promises';
import { createKeeper } from '@palimpsest/sdk/keeper';
import { deleteOldSessions } from '@palimpsest/store-postgres';
import { makeBranchingClient } from '@palimpsest/testing/branching-client';
import { expect, it } from 'vitest';
import { connectOwner, describeOnServer, findDatabase, makeDatabase, newTenant, openStore } from './postgres.ts';
import { smallRecords } from './records.ts';

const HOUR_MS = 3_600_000;

describeOnServer('deleting', () => {
  it('takes a session with its records and the texts that only it put', async () => {
    const tenant = newTenant();
    const store = await openStore({ tenant });
    const [a, b] = [await store.open('a'), await store.open('b')];
    await a.journal.append(smallRecords(0, 5));
    const shared = await a.stash.put('shared');
    const own = await a.stash.put('only of a');
    expect(await b.stash.put('shared')).toBe(shared);
    await a.journal.close();
    await store.delete('a');
    expect((await store.list()).map(({ id }) => id)).toEqual(['b']);
    await expect(store.read('a')).rejects.toMatchObject({ code: 'not-found' });
    expect(await b.stash.get(shared)).toBe('shared');
    expect(await b.stash.get(own)).toBeUndefined();
    await b.journal.close();
    await store.delete('b');
    const owner = connectOwner(new URL(await findDatabase()).pathname.slice(1));
    for (const table of ['session', 'record', 'stash', 'stash_use']) {
      const { rows } = await owner.query(`select from palimpsest.${table} where tenant = $1`, [tenant]);
      expect(rows.length, table).toBe(0);
    }
  });

  it('refuses a session that is open, and does nothing where there is none', async () => {
    const store = await openStore({ tenant: newTenant() });
    const session = await store.open('s');
    await expect(store.delete('s')).rejects.toMatchObject({ name: 'StoreError', code: 'locked' });
    await session.journal.append(smallRecords(0, 1));
    await session.journal.close();
    await store.delete('s');
    await store.delete('s');
    await store.delete('never there');
    await expect(store.delete('')).rejects.toMatchObject({ code: 'bad-id' });
  });

  it('never takes a text from a session that puts it at that moment', async () => {
    const store = await openStore({ tenant: newTenant() });
    const keeper = await store.open('keeper');
    for (let i = 0; i < 30; i++) {
      const text = `text ${i}`;
      const going = await store.open('going');
      await going.stash.put(text);
      await going.journal.close();
      const [ref] = await Promise.all([keeper.stash.put(text), store.delete('going')]);
      expect(await keeper.stash.get(ref)).toBe(text);
    }
    await keeper.journal.close();
  });

  it('waits for one that is just putting the text, and then leaves it', async () => {
    const tenant = newTenant();
    const store = await openStore({ tenant });
    const going = await store.open('going');
    const ref = await going.stash.put('wanted');
    await going.journal.close();
    const keeper = await store.open('keeper');
    // The two statements of a put, before its commit.
    const putting = await connectOwner(new URL(await findDatabase()).pathname.slice(1)).connect();
    await putting.query('begin');
    await putting.query('select from palimpsest.stash where tenant = $1 and ref = $2 for update', [tenant, ref]);
    await putting.query("insert into palimpsest.stash_use values ($1, 'keeper', $2)", [tenant, ref]);
    const deleted = store.delete('going');
    await sleep(200);
    await putting.query('commit');
    putting.release();
    await deleted;
    expect(await keeper.stash.get(ref)).toBe('wanted');
    await keeper.journal.close();
  });

  it('a keeper that forgets a tenant leaves no row of it, and those of others stay', async () => {
    const names = [newTenant(), newTenant()] as const;
    const stores = { ann: await openStore({ tenant: names[0] }), bob: await openStore({ tenant: names[1] }) };
    const keeper = createKeeper({ window: 60_000, store: (tenant) => stores[tenant as keyof typeof stores] });
    // Results that are stashed.
    const client = makeBranchingClient('one', { rounds: 12, resultChars: 80_000, systemChars: 2_000 });
    for (const tenant of Object.keys(stores))
      for (const rounds of [3, 12]) {
        const body = client.body(client.history(rounds));
        const kept = (await keeper.keep({ wire: 'openai-chat', body, tenant, id: 'support' }))!;
        kept.hear({ usage: { prompt_tokens: kept.tokens } });
      }
    await keeper.forget('ann');
    const owner = connectOwner(new URL(await findDatabase()).pathname.slice(1));
    const count = async (table: string, tenant: string) =>
      (await owner.query(`select from palimpsest.${table} where tenant = $1`, [tenant])).rows.length;
    for (const table of ['session', 'record', 'stash', 'stash_use']) {
      expect(await count(table, names[0]), table).toBe(0);
      expect(await count(table, names[1]), table).toBeGreaterThan(0);
    }
    await keeper.close();
    for (const table of ['session', 'record', 'stash', 'stash_use']) expect(await count(table, names[0])).toBe(0);
  });

  it('of old sessions goes over all tenants, oldest first, a bounded number at a time, and spares those in use', async () => {
    const connectionString = await makeDatabase();
    const owner = connectOwner(new URL(connectionString).pathname.slice(1));
    for (const [i, tenant] of ['one', 'two'].entries()) {
      const store = await openStore({ connectionString, tenant });
      for (let n = 0; n < 3; n++) {
        const session = await store.open(`s${n}`);
        await session.journal.append(smallRecords(0, 2));
        if (n > 0 || i > 0) await session.journal.close();
      }
    }
    const young = await deleteOldSessions({ connectionString, idleMs: HOUR_MS });
    expect(young).toBe(0);
    await owner.query("update palimpsest.session set updated_at = updated_at - interval '2 hours'");
    await owner.query(
      "update palimpsest.session set updated_at = clock_timestamp() where tenant = 'two' and id = 's2'",
    );
    expect(await deleteOldSessions({ connectionString, idleMs: HOUR_MS, atMost: 3 })).toBe(3);
    expect(await deleteOldSessions({ connectionString, idleMs: HOUR_MS, atMost: 3 })).toBe(1);
    const left = await owner.query('select tenant, id from palimpsest.session order by tenant');
    expect(left.rows).toEqual([
      { tenant: 'one', id: 's0' },
      { tenant: 'two', id: 's2' },
    ]);
    await expect(deleteOldSessions({ connectionString, idleMs: Number.NaN })).rejects.toMatchObject({
      code: 'bad-option',
    });
  });
});
