import assert from 'node:assert/strict';
import { message, type RuleBody } from './ground.ts';

const conflict = { name: 'StoreError', code: 'conflict' };

export const deleteRules: Readonly<Record<string, RuleBody>> = {
  'a deleted session is gone with its records and its texts, and the others stay': async (ground) => {
    const store = await ground.connect();
    const refs: string[] = [];
    for (const id of ['gone', 'stays']) {
      const session = await store.open(id);
      await session.journal.append([message('m', `said in ${id}`)]);
      refs.push(await session.stash.put(`a text of ${id}`), await session.stash.put('a text of both'));
      await session.journal.close();
    }
    await store.delete('gone');
    for (const other of [store, await ground.connect()]) {
      await assert.rejects(other.read('gone'), { name: 'StoreError', code: 'not-found' });
      assert.deepEqual(
        (await other.list()).map(({ id }) => id),
        ['stays'],
      );
      const { records, stash } = await other.read('stays');
      assert.deepEqual(records, [message('m', 'said in stays')]);
      assert.equal(await stash.get(refs[2]!), 'a text of stays');
      assert.equal(await stash.get(refs[3]!), 'a text of both');
    }
  },

  'a session that is made again after it was deleted is empty': async (ground) => {
    const store = await ground.connect();
    const first = await store.open('s');
    await first.journal.append([message('m', 'before')]);
    const ref = await first.stash.put('a text');
    await first.journal.close();
    await store.delete('s');
    const second = await store.open('s');
    assert.deepEqual(second.records, []);
    assert.equal(await second.stash.get(ref), undefined);
    await second.journal.append([message('m', 'after')]);
    await second.journal.close();
    assert.deepEqual((await (await ground.connect()).read('s')).records, [message('m', 'after')]);
  },

  'deleting a session that is not there does nothing, and an id that cannot name one is refused': async (ground) => {
    const store = await ground.connect();
    await store.delete('nobody');
    assert.deepEqual(await store.list(), []);
    for (const id of ['', undefined as unknown as string])
      await assert.rejects(store.delete(id), { name: 'StoreError', code: 'bad-id' });
  },

  'a session that somebody writes is not deleted': async (ground) => {
    const store = await ground.connect();
    const session = await store.open('s');
    for (const other of [store, await ground.connect()])
      await assert.rejects(other.delete('s'), { name: 'StoreError', code: 'locked' });
    await session.journal.append([message('m', 'still mine')]);
    await session.journal.close();
    assert.deepEqual((await store.read('s')).records, [message('m', 'still mine')]);
  },

  'a writer whose session was deleted while it rested writes nothing back': async (ground) => {
    for (const isMadeAgain of [false, true]) {
      const store = await ground.connect();
      const old = await store.open('s');
      await old.journal.append([message('m', 'before')]);
      await old.rest();
      await (await ground.connect()).delete('s');
      if (isMadeAgain) await (await store.open('s')).journal.close();
      await assert.rejects(old.stash.put('too late'), conflict);
      await assert.rejects(old.journal.append([message('lost', 'too late')]), conflict);
      await assert.rejects(old.stash.put('too late'), conflict);
      await old.rest();
      await old.journal.close();
      const listed = (await (await ground.connect()).list()).map(({ id }) => id);
      assert.deepEqual(listed, isMadeAgain ? ['s'] : []);
      if (!isMadeAgain) continue;
      assert.deepEqual((await store.read('s')).records, []);
      await store.delete('s');
    }
  },

  'one that waits for a session while it is deleted gets an empty one': async (ground) => {
    const first = await (await ground.connect()).open('s');
    await first.journal.append([message('m', 'before')]);
    const waiting = (await ground.connect()).open('s', { waitMs: Number.POSITIVE_INFINITY });
    await first.journal.close();
    await (await ground.connect()).delete('s').catch((error: { code?: string }) => {
      // The one that waited was faster.
      assert.equal(error.code, 'locked');
    });
    const second = await waiting;
    await second.journal.append([message('n', 'after')]);
    await second.journal.close();
    const { records } = await (await ground.connect()).read('s');
    assert.deepEqual(records, [...second.records, message('n', 'after')]);
  },
};
