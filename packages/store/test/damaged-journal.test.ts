import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { JournalRecord } from '@palimpsest/core';
import { fileStore, type StoreError } from '@palimpsest/store';
import { numberedRecord } from '@palimpsest/testing/children/numbered-record';
import { beforeEach, describe, expect, it } from 'vitest';
import { newGround } from './new-ground.ts';

const records: readonly JournalRecord[] = [
  { v: 1, type: 'session', id: 's', at: 1 },
  numberedRecord(1, 30),
  { v: 1, type: 'entry', entry: { type: 'seen', count: 1 } },
  numberedRecord(3, 30),
];

describe('a damaged journal', () => {
  let dir: string;
  let file: string;
  let whole: Buffer;
  /** Where each line begins; the end last. */
  let starts: number[];
  const store = () => fileStore({ dir, fsync: 'never' });

  beforeEach(async () => {
    dir = newGround();
    file = join(dir, 's', 'journal.jsonl');
    const session = await store().open('s');
    await session.journal.append(records);
    await session.journal.close();
    whole = readFileSync(file);
    starts = [0];
    for (let at = whole.indexOf('\n'); at !== -1; at = whole.indexOf('\n', at + 1)) starts.push(at + 1);
  });

  const refusal = async (bytes: Buffer): Promise<StoreError> => {
    writeFileSync(file, bytes);
    const [opened, read] = await Promise.allSettled([store().open('s'), store().read('s')]);
    if (opened.status === 'fulfilled') throw new Error('it was loaded');
    expect(read).toMatchObject({ status: 'rejected', reason: { code: opened.reason.code } });
    expect(readFileSync(file).equals(bytes), 'the file was touched').toBe(true);
    expect(readdirSync(join(dir, 's'))).toEqual(['journal.jsonl']);
    return opened.reason as StoreError;
  };

  it('is a list of JSON lines that hold the records, and each prefix of lines is a journal', async () => {
    const lines = whole.toString().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(records);
    for (const [count, end] of starts.entries()) {
      writeFileSync(file, whole.subarray(0, end));
      expect((await store().read('s')).records).toEqual(records.slice(0, count));
    }
  });

  it('cut at any byte loads every whole record, keeps the torn bytes aside, and is written on', async () => {
    for (let cut = 0; cut <= whole.length; cut++) {
      writeFileSync(file, whole.subarray(0, cut));
      // A record is whole with or without its newline.
      const count = starts.filter((start) => start > 0 && start - 1 <= cut).length;
      const end = starts[count]!;
      expect((await store().read('s')).records).toEqual(records.slice(0, count));
      expect(readFileSync(file).length, 'reading touched the file').toBe(cut);

      const session = await store().open('s');
      expect(session.records).toEqual(records.slice(0, count));
      const torn = whole.subarray(end, cut);
      expect(session.repaired?.droppedBytes ?? 0).toBe(torn.length);
      if (session.repaired !== undefined) expect(readFileSync(session.repaired.keptAt).equals(torn)).toBe(true);
      expect(readFileSync(file).equals(whole.subarray(0, end))).toBe(true);

      await session.journal.append(records.slice(count));
      await session.journal.close();
      expect(readFileSync(file).equals(whole)).toBe(true);
    }
  });

  it('with any one byte changed is refused with the place, and not touched', async () => {
    for (let at = 0; at < whole.length; at++) {
      const bytes = Buffer.from(whole);
      // One bit, each of the eight in turn; and the byte made a newline.
      for (const change of [1 << (at % 8), whole[at]! ^ 0x0a]) {
        if (change === 0) continue;
        bytes[at] = whole[at]! ^ change;
        const error = await refusal(bytes);
        expect(error.code).toBe('corrupt');
        expect(error.file).toBe(file);
        const line = starts.findLastIndex((start) => start <= at);
        expect(error).toMatchObject({ line: line + 1, offset: starts[line]! });
        expect(error.message).toContain(`line ${line + 1} (byte ${starts[line]!})`);
      }
    }
  });

  it('with a line lost, doubled, moved or put in is refused at that line', async () => {
    const lines = starts.slice(0, -1).map((start, i) => whole.subarray(start, starts[i + 1]));
    const [a, b, c, d] = lines as [Buffer, Buffer, Buffer, Buffer];
    const cases: readonly [Buffer[], number][] = [
      [[b, c, d], 1],
      [[a, c, d], 2],
      [[a, b, b, c, d], 3],
      [[a, c, b, d], 2],
      [[a, b, Buffer.from('\n'), c, d], 3],
      [[a, b, Buffer.from(`${JSON.stringify(records[1])}\n`), c, d], 3],
    ];
    for (const [parts, line] of cases)
      expect(await refusal(Buffer.concat(parts))).toMatchObject({ code: 'corrupt', line });
  });

  /** A line with the right sum, whatever it says. */
  const signed = (value: unknown): Buffer => {
    const head = JSON.stringify(value).slice(0, -1);
    const before = Number.parseInt(JSON.parse(whole.subarray(starts.at(-2)!).toString()).sum, 16);
    const sum = crc32(head, before).toString(16).padStart(8, '0');
    return Buffer.concat([whole, Buffer.from(`${head},"sum":"${sum}"}\n`)]);
  };

  it('of a version that is not known is refused as such, with the place', async () => {
    const error = await refusal(signed({ v: 2, type: 'message', message: {} }));
    expect(error).toMatchObject({ code: 'unsupported-version', line: 5, offset: whole.length, file });
    expect(error.message).toContain('version 2');
  });

  it('that holds something else than records is refused with the place', async () => {
    for (const value of [{ v: 1, type: 'unheard-of' }, { v: 1, type: 'message', message: { id: 'm' } }, { v: '1' }])
      expect(await refusal(signed(value))).toMatchObject({ code: 'corrupt', line: 5, offset: whole.length, file });
    expect(await refusal(Buffer.from('# notes\n'))).toMatchObject({ code: 'corrupt', line: 1, offset: 0 });
  });

  it('torn twice at the same place keeps both pieces', async () => {
    const kept = new Set<string>();
    for (const piece of ['{"v":1,"ty', '{"v":1,"type":"mess']) {
      writeFileSync(file, Buffer.concat([whole, Buffer.from(piece)]));
      const session = await store().open('s');
      expect(readFileSync(session.repaired!.keptAt, 'utf8')).toBe(piece);
      kept.add(session.repaired!.keptAt);
      await session.journal.close();
    }
    expect(kept.size).toBe(2);
  });

  it('that ends in the zeros of a crashed file system is repaired', async () => {
    writeFileSync(file, Buffer.concat([whole, Buffer.alloc(5000)]));
    const session = await store().open('s');
    expect(session.records).toEqual(records);
    expect(session.repaired?.droppedBytes).toBe(5000);
    await session.journal.close();
    expect(readFileSync(file).equals(whole)).toBe(true);
  });

  it('is found also where lines are longer than what is read at once', async () => {
    const session = await store().open('long');
    const long = Array.from({ length: 5 }, (_, n) => numberedRecord(n, 700_000 * n));
    await session.journal.append(long);
    await session.journal.close();
    expect((await store().read('long')).records).toEqual(long);
    const path = join(dir, 'long', 'journal.jsonl');
    const bytes = readFileSync(path);
    const at = bytes.length - 1_000_000;
    bytes[at] = bytes[at]! ^ 1;
    writeFileSync(path, bytes);
    await expect(store().open('long')).rejects.toMatchObject({ code: 'corrupt', line: 5 });
  });
});
