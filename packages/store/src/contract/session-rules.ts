import assert from 'node:assert/strict';
import type { JournalRecord } from '@palimpsest/core';
import { message, type RuleBody } from './ground.ts';

const locked = { name: 'StoreError', code: 'locked' };

/** Ids that a careless mapping to names confuses or lets out. */
const strangeIds: readonly string[] = [
  'plain',
  'Plain',
  'PLAIN',
  '.',
  '..',
  '../plain',
  '/etc/passwd',
  'a/b',
  'a\\b',
  'a b',
  'nul\u0000',
  'é',
  'e\u0301',
  '会話',
  '👩‍👩‍👧',
  '\ud800',
  '~002e',
  '%2e',
  'lock',
  'x'.repeat(200),
];

const idsOf = (records: readonly JournalRecord[]): readonly string[] =>
  records.map((record) => (record.type === 'message' ? record.message.id : record.type));

export const sessionRules: Readonly<Record<string, RuleBody>> = {
  'any id names a session of its own, and list gives it back': async (ground) => {
    const store = await ground.connect();
    for (const id of strangeIds) {
      const session = await store.open(id);
      assert.deepEqual(session.records, [], `"${id}" met another session`);
      await session.journal.append([message('m', id)]);
      await session.stash.put(id);
      await session.journal.close();
    }
    const other = await ground.connect();
    for (const id of strangeIds) assert.deepEqual((await other.read(id)).records, [message('m', id)]);
    const infos = await other.list();
    assert.deepEqual(new Set(infos.map(({ id }) => id)), new Set(strangeIds));
    assert.equal(infos.length, strangeIds.length);
    for (const { bytes, modifiedAt } of infos) assert.ok(bytes > 0 && modifiedAt > 0);
  },

  'a list by prefix has all whose ids begin so, and those alone': async (ground) => {
    const store = await ground.connect();
    for (const id of strangeIds) await (await store.open(id)).journal.close();
    for (const prefix of ['x', 'l', 'lo', '%', '会', 'nobody', ...strangeIds.slice(0, 8).map((id) => id.slice(0, 2))]) {
      const listed = (await store.list({ prefix })).map(({ id }) => id);
      assert.deepEqual(new Set(listed), new Set(strangeIds.filter((id) => id.startsWith(prefix))), prefix);
    }
  },

  'an id that cannot name a session is refused and makes none': async (ground) => {
    const store = await ground.connect();
    for (const id of ['', '会'.repeat(1000), undefined as unknown as string]) {
      await assert.rejects(store.open(id), { name: 'StoreError', code: 'bad-id' });
      await assert.rejects(store.read(id), { name: 'StoreError', code: 'bad-id' });
    }
    assert.deepEqual(await store.list(), []);
  },

  'reading a session that is not there says so and does not make it': async (ground) => {
    const store = await ground.connect();
    await assert.rejects(store.read('nobody'), { name: 'StoreError', code: 'not-found' });
    assert.deepEqual(await store.list(), []);
  },

  'a second writer is refused while the first is there, and told who holds it': async (ground) => {
    const store = await ground.connect();
    const first = await store.open('s');
    for (const other of [store, await ground.connect()])
      await assert.rejects(other.open('s'), (error: unknown) => {
        assert.ok(error instanceof Error && 'code' in error && 'holder' in error);
        assert.equal(error.code, 'locked');
        assert.equal((error.holder as { pid: number }).pid, process.pid);
        assert.match(error.message, new RegExp(String(process.pid)));
        return true;
      });
    const elsewhere = await store.open('another');
    await elsewhere.journal.close();
    await first.journal.append([message('m', 'still mine')]);
    await first.journal.close();
    const second = await store.open('s');
    assert.deepEqual(second.records, [message('m', 'still mine')]);
    await second.journal.close();
  },

  'a writer that waits gets in when the other leaves, and sees what it wrote': async (ground) => {
    const first = await (await ground.connect()).open('s');
    const waiting = (await ground.connect()).open('s', { waitMs: Number.POSITIVE_INFINITY });
    await first.journal.append([message('m', 'before you')]);
    await first.journal.close();
    const second = await waiting;
    assert.deepEqual(second.records, [message('m', 'before you')]);
    await second.journal.close();
  },

  'a writer that rests goes on where it was, and others are refused from then on': async (ground) => {
    const session = await (await ground.connect()).open('s');
    await session.journal.append([message('m0', 'before')]);
    await session.rest(() => session.journal.append([message('m1', 'on the way')]));
    await session.rest();
    await session.journal.append([message('m2', 'after')]);
    const other = await ground.connect();
    await assert.rejects(other.open('s'), locked);
    assert.deepEqual(idsOf((await other.read('s')).records), ['m0', 'm1', 'm2']);
    await session.journal.close();
    await session.rest();
    await (await other.open('s')).journal.close();
  },

  'a session whose writer rests is anyone’s, and who took it has all that was written': async (ground) => {
    const first = await (await ground.connect()).open('s');
    await first.rest(() => first.journal.append([message('m0', 'by the first')]));
    const second = await (await ground.connect()).open('s');
    assert.deepEqual(idsOf(second.records), ['m0']);
    await second.rest(() => second.journal.append([message('m1', 'by the second')]));
    const third = await (await ground.connect()).open('s');
    assert.deepEqual(idsOf(third.records), ['m0', 'm1']);
    await third.journal.close();
  },

  'a writer whose session was taken while it rested never writes again': async (ground) => {
    const conflict = { name: 'StoreError', code: 'conflict' };
    for (const hasWritten of [true, false]) {
      const id = `s${hasWritten}`;
      const old = await (await ground.connect()).open(id);
      await old.rest(() => old.journal.append([message('m0', 'by the old one')]));
      const next = await (await ground.connect()).open(id);
      if (hasWritten) await next.journal.append([message('m1', 'by the next')]);
      await assert.rejects(old.journal.append([message('lost', 'too late')]), conflict);
      await next.journal.append([message('m2', 'by the next')]);
      await next.rest();
      await assert.rejects(old.journal.append([message('lost', 'too late')]), conflict);
      await old.rest();
      await old.journal.close();
      await next.journal.append([message('m3', 'still mine')]);
      await next.journal.close();
      const { records } = await (await ground.connect()).read(id);
      assert.deepEqual(idsOf(records), hasWritten ? ['m0', 'm1', 'm2', 'm3'] : ['m0', 'm2', 'm3']);
    }
  },

  'one that waits gets in as soon as the writer rests': async (ground) => {
    const first = await (await ground.connect()).open('s');
    const waiting = (await ground.connect()).open('s', { waitMs: Number.POSITIVE_INFINITY });
    await first.journal.append([message('m0', 'before you')]);
    await first.rest();
    const second = await waiting;
    assert.deepEqual(idsOf(second.records), ['m0']);
    await second.journal.close();
    await first.journal.close();
  },

  'of many that wait, one at a time gets in, and each sees all that the others wrote': async (ground) => {
    let inside = 0;
    const writers = Array.from({ length: 8 }, async (_, i) => {
      const session = await (await ground.connect()).open('s', { waitMs: 60_000 });
      inside++;
      assert.equal(inside, 1, 'two writers at once');
      await session.journal.append([message(`m${session.records.length}`, `by ${i}`)]);
      inside--;
      await session.journal.close();
    });
    await Promise.all(writers);
    const { records } = await (await ground.connect()).read('s');
    assert.deepEqual(
      idsOf(records),
      Array.from({ length: 8 }, (_, i) => `m${i}`),
    );
  },

  'a wait ends with the error when its time is over, and with the reason when it is called off': async (ground) => {
    const store = await ground.connect();
    const first = await store.open('s');
    await assert.rejects(store.open('s', { waitMs: 30 }), locked);
    const calledOff = new AbortController();
    const waiting = store.open('s', { waitMs: Number.POSITIVE_INFINITY, signal: calledOff.signal });
    const reason = new Error('the user left');
    setTimeout(() => calledOff.abort(reason), 30);
    await assert.rejects(waiting, (error) => error === reason);
    await assert.rejects(store.open('s', { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    await assert.rejects(store.open('s', { waitMs: Number.NaN }), { name: 'StoreError', code: 'bad-option' });
    await first.journal.close();
    const next = await store.open('s');
    await next.journal.close();
  },
};
