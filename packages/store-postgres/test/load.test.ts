import { assistant, createSession, text, user } from '@palimpsest/core';
import type { StoredSession } from '@palimpsest/store';
import { numberedRecord } from '@palimpsest/testing/children/numbered-record';
import { expect, it } from 'vitest';
import { connectOwner, describeOnServer, findDatabase, newTenant, openStore } from './postgres.ts';
import { smallRecords } from './records.ts';

const ownerOfDatabase = async () => connectOwner(new URL(await findDatabase()).pathname.slice(1));

describeOnServer('a session that is loaded', () => {
  it('comes whole, in order, however many records it has and however large they are', async () => {
    const store = await openStore({ tenant: newTenant() });
    const many = smallRecords(0, 5_100);
    const large = Array.from({ length: 5 }, (_, n) => numberedRecord(n, 1_000_000));
    for (const [id, records] of Object.entries({ many, large })) {
      const session = await store.open(id);
      await session.journal.append(records);
      await session.journal.close();
      expect((await store.read(id)).records).toEqual(records);
      const lines = records.map((record) => `${JSON.stringify(record)}\n`);
      const info = (await store.list()).find((one) => one.id === id);
      expect(info?.bytes).toBe(Buffer.byteLength(lines.join('')));
    }
  });

  it('shows the same view in another process, byte for byte, after every turn', async () => {
    const tenant = newTenant();
    const sessionOn = ({ records, journal, stash }: StoredSession) =>
      createSession({ window: 12_000, records, journal, ports: { stash } });
    const unbroken = createSession({
      window: 12_000,
      ports: { stash: (await (await openStore({ tenant })).open('x')).stash },
    });
    for (let n = 0; n < 12; n++) {
      const turn = [user(`Question ${n} \ud83d \u0000`), assistant([text(`Answer ${n}. `.repeat(400))])];
      for (const message of turn) unbroken.append(message);
      const expected = await unbroken.view();
      const opened = await (await openStore({ tenant })).open('s');
      const session = sessionOn(opened);
      for (const message of turn) session.append(message);
      expect(JSON.stringify((await session.view()).messages)).toBe(JSON.stringify(expected.messages));
      await opened.journal.close();
    }
  });

  it('with a record missing or changed is refused with its place, and not touched', async () => {
    const tenant = newTenant();
    const store = await openStore({ tenant });
    const session = await store.open('s');
    await session.journal.append(smallRecords(0, 4));
    await session.journal.close();
    const owner = await ownerOfDatabase();
    const change = (payload: string) =>
      owner.query('update palimpsest.record set payload = $2 where tenant = $1 and seq = 3', [tenant, payload]);
    await change('{"v":2,"type":"later"}');
    await expect(store.read('s')).rejects.toMatchObject({ code: 'unsupported-version', message: /record 3/ });
    await change('{"v":1,');
    await expect(store.open('s')).rejects.toMatchObject({ code: 'corrupt', message: /"s", record 3/ });
    await owner.query('delete from palimpsest.record where tenant = $1 and seq = 3', [tenant]);
    await expect(store.open('s')).rejects.toMatchObject({ code: 'corrupt', message: /record 3 is missing/ });
    await owner.query('update palimpsest.session set head_seq = 2 where tenant = $1', [tenant]);
    await owner.query('delete from palimpsest.record where tenant = $1 and seq > 2', [tenant]);
    expect((await store.read('s')).records).toEqual(smallRecords(0, 2));
  });

  it('finds a stashed text that was changed out, and saving it again mends it', async () => {
    const tenant = newTenant();
    const session = await (await openStore({ tenant })).open('s');
    const ref = await session.stash.put('the text');
    const owner = await ownerOfDatabase();
    await owner.query("update palimpsest.stash set bytes = 'another' where tenant = $1", [tenant]);
    await expect(session.stash.get(ref)).rejects.toMatchObject({ code: 'corrupt' });
    expect(await session.stash.put('the text')).toBe(ref);
    expect(await session.stash.get(ref)).toBe('the text');
    await session.journal.close();
  });
});
