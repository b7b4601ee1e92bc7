import assert from 'node:assert/strict';
import type { JournalRecord } from '@palimpsest/core';
import { everyRecord, message, type RuleBody } from './ground.ts';

const numberedRecords = (from: number, count: number): readonly JournalRecord[] =>
  Array.from({ length: count }, (_, i) => message(`m${from + i}`, `text ${from + i}`));

export const journalRules: Readonly<Record<string, RuleBody>> = {
  'a new session has no records, and is there from then on': async (ground) => {
    const store = await ground.connect();
    const session = await store.open('new');
    assert.equal(session.id, 'new');
    assert.deepEqual(session.records, []);
    assert.equal(session.repaired, undefined);
    await session.journal.close();
    assert.deepEqual((await store.read('new')).records, []);
    assert.deepEqual(
      (await store.list()).map(({ id }) => id),
      ['new'],
    );
  },

  'every kind of record and every character comes back as it was given': async (ground) => {
    const first = await (await ground.connect()).open('s');
    await first.journal.append(everyRecord);
    await first.journal.close();
    const again = await (await ground.connect()).open('s');
    assert.deepEqual(again.records, everyRecord);
    await again.journal.close();
  },

  'records stand in the order of the appends, over any number of sittings': async (ground) => {
    const expected: JournalRecord[] = [];
    for (let sitting = 0; sitting < 4; sitting++) {
      const session = await (await ground.connect()).open('s');
      assert.deepEqual(session.records, expected);
      for (let i = 0; i < 5; i++) {
        const batch = numberedRecords(expected.length, i);
        expected.push(...batch);
        await session.journal.append(batch);
      }
      await session.journal.close();
    }
    assert.deepEqual((await (await ground.connect()).read('s')).records, expected);
  },

  'appends made at once keep the order in which they were made': async (ground) => {
    const store = await ground.connect();
    const session = await store.open('s');
    const settled: number[] = [];
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        session.journal.append(numberedRecords(i * 3, 3)).then(() => {
          settled.push(i);
        }),
      ),
    );
    assert.deepEqual(
      settled,
      Array.from({ length: 50 }, (_, i) => i),
    );
    await session.journal.close();
    assert.deepEqual((await store.read('s')).records, numberedRecords(0, 150));
  },

  'an append made the moment another is acknowledged is not forgotten': async (ground) => {
    const session = await (await ground.connect()).open('s');
    for (let i = 0; i < 50; i++) {
      await session.journal.append(numberedRecords(i, 1));
      // A few steps later each time: somewhere there the store goes idle.
      for (let steps = i % 10; steps > 0; steps--) await undefined;
    }
    await session.journal.close();
    assert.deepEqual((await (await ground.connect()).read('s')).records, numberedRecords(0, 50));
  },

  'what was acknowledged can be read at once by anybody, while the writer goes on': async (ground) => {
    const writer = await (await ground.connect()).open('s');
    const reader = await ground.connect();
    for (let i = 0; i < 10; i++) {
      await writer.journal.append(numberedRecords(i, 1));
      assert.deepEqual((await reader.read('s')).records, numberedRecords(0, i + 1));
    }
    await writer.journal.close();
  },

  'changing an object after it was appended changes nothing stored': async (ground) => {
    const store = await ground.connect();
    const session = await store.open('s');
    const given = structuredClone(message('m', 'before')) as { message: { id: string } } & JournalRecord;
    const written = session.journal.append([given]);
    given.message.id = 'after';
    await written;
    await session.journal.close();
    assert.deepEqual((await store.read('s')).records, [message('m', 'before')]);
  },

  'an append of nothing is acknowledged and leaves nothing': async (ground) => {
    const store = await ground.connect();
    const session = await store.open('s');
    await session.journal.append([]);
    await session.journal.append(numberedRecords(0, 1));
    await session.journal.append([]);
    await session.journal.close();
    assert.deepEqual((await store.read('s')).records, numberedRecords(0, 1));
  },

  'a record that could not be loaded is refused with its whole append, and the journal goes on': async (ground) => {
    const store = await ground.connect();
    const session = await store.open('s');
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const bad: readonly unknown[] = [
      { v: 2, type: 'session', id: 's' },
      { v: 1, type: 'unheard-of' },
      { v: 1, type: 'message', message: { id: 'm' } },
      { v: 1, type: 'message', message: { ...cyclic } },
      { v: 1, type: 'entry', entry: { type: 'seen', count: Number.NaN } },
      undefined,
      'text',
    ];
    for (const record of bad) {
      const append = session.journal.append([message('good', 'but with it'), record as JournalRecord]);
      await assert.rejects(append, { name: 'StoreError', code: 'bad-record' });
    }
    await session.journal.append(numberedRecords(0, 1));
    await session.journal.close();
    assert.deepEqual((await store.read('s')).records, numberedRecords(0, 1));
  },

  'closing waits for the appends that were made, and refuses those made later': async (ground) => {
    const store = await ground.connect();
    const session = await store.open('s');
    const appends = Array.from({ length: 5 }, (_, i) => session.journal.append(numberedRecords(i, 1)));
    const closes = [session.journal.close(), session.journal.close()];
    await assert.rejects(session.journal.append(numberedRecords(5, 1)), { name: 'StoreError', code: 'closed' });
    await Promise.all([...appends, ...closes]);
    await session.journal.close();
    assert.deepEqual((await store.read('s')).records, numberedRecords(0, 5));
  },
};
