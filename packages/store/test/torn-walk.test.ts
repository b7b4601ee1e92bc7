import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assistant, call, createSession, type JournalRecord, reasoning, result, results, user } from '@palimpsest/core';
import { fileStore } from '@palimpsest/store';
import { expect, it } from 'vitest';
import { newGround } from './new-ground.ts';

const settings = { window: 3_000, maxOutput: 100, wire: { reasoning: 'bound', nativeEditing: false } } as const;

const isOfSeveral = (record: JournalRecord): boolean =>
  record.type === 'entry' && record.entry.type === 'edits' && record.entry.of !== undefined;

/** A session's rounds until a walk of several entries was made; the journal of then. */
async function writeUntilWalk(dir: string): Promise<readonly JournalRecord[]> {
  const { journal, records } = await fileStore({ dir, fsync: 'never' }).open('s');
  const session = createSession({ ...settings, journal, records });
  for (let n = 0, walked = false; !walked; n++) {
    session.append(user(`Turn ${n}: ${'do this and that '.repeat(8)}`));
    session.append(assistant([reasoning('Hm.', `sig${n}`), call(`c${n}`, 'read_file', { path: `f${n}` })]));
    session.append(results([result(`c${n}`, 'line of it\n'.repeat(60))]));
    await session.view();
    walked = session.ledger().entries.some((entry) => entry.type === 'edits' && entry.of !== undefined);
  }
  await journal.close();
  return (await fileStore({ dir, fsync: 'never' }).read('s')).records;
}

it('a walk torn on disk, at any byte of it, is as if it had never been made, and the session goes on', async () => {
  const dir = newGround();
  const file = join(dir, 's', 'journal.jsonl');
  const records = await writeUntilWalk(dir);
  const walk = records.flatMap((record, at) => (isOfSeveral(record) ? [at] : []));
  expect(walk.length).toBeGreaterThan(1);
  const bytes = readFileSync(file);
  const ends: number[] = [];
  for (let at = bytes.indexOf('\n'); at !== -1; at = bytes.indexOf('\n', at + 1)) ends.push(at + 1);
  const [start, end] = [ends[walk[0]! - 1]!, ends[walk.at(-1)!]!];
  const before = createSession({ ...settings, records: records.slice(0, walk[0]) });
  for (let at = start; at < end - 1; at += 97) {
    writeFileSync(file, bytes.subarray(0, at));
    const opened = await fileStore({ dir, fsync: 'never' }).open('s');
    const session = createSession({ ...settings, records: opened.records, journal: opened.journal });
    expect(session.status()).toEqual(before.status());
    const view = JSON.stringify((await session.view()).messages);
    await opened.journal.close();
    const { records: again } = await fileStore({ dir, fsync: 'never' }).read('s');
    expect(JSON.stringify((await createSession({ ...settings, records: again }).view()).messages)).toBe(view);
  }
});
