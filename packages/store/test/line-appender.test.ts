import type { FileHandle } from 'node:fs/promises';
import { numberedRecord } from '@palimpsest/testing/children/numbered-record';
import { describe, expect, it } from 'vitest';
import { encodeRecord } from '../src/journal/journal-line.ts';
import { lineAppender } from '../src/journal/line-appender.ts';

/** A file in memory on a disk that can be told to fail. */
function fakeFile() {
  let bytes = Buffer.alloc(0);
  const broken = new Set<'write' | 'truncate' | 'datasync'>();
  let syncs = 0;
  const check = (what: 'write' | 'truncate' | 'datasync'): void => {
    if (broken.has(what)) throw Object.assign(new Error(`no ${what}`), { code: 'EIO' });
  };
  const handle = {
    stat: async () => ({ size: bytes.length }),
    truncate: async (length: number) => {
      check('truncate');
      bytes = bytes.subarray(0, length);
    },
    datasync: async () => {
      check('datasync');
      syncs++;
    },
    // Never more than ten bytes at a time, as a kernel may do it; a failing disk takes ten before it says so.
    write: async (from: Buffer, at: number, length: number) => {
      const part = from.subarray(at, at + Math.min(10, length));
      bytes = Buffer.concat([bytes, part]);
      check('write');
      return { bytesWritten: part.length };
    },
  };
  return {
    broken,
    text: () => bytes.toString('utf8'),
    syncs: () => syncs,
    handle: handle as unknown as FileHandle,
    lock: { hasRested: false, isHeld: async () => true, rest: async () => {}, release: async () => {} },
  };
}

const body = (n: number): string => encodeRecord(numberedRecord(n, 60));

describe('lines appended to a journal', () => {
  it('are written to the last byte, however little the kernel takes at a time', async () => {
    const file = fakeFile();
    const append = lineAppender({ ...file, file: 'j', fsync: 'always', end: 0, sum: 0 });
    await append([body(0), body(1)]);
    expect(file.text().trimEnd().split('\n')).toHaveLength(2);
    expect(file.text().endsWith('"}\n')).toBe(true);
  });

  it.each([
    ['always', 1],
    ['never', 0],
  ] as const)('are on the disk before they are acknowledged where fsync is %s: %i', async (fsync, syncs) => {
    const file = fakeFile();
    await lineAppender({ ...file, file: 'j', fsync, end: 0, sum: 0 })([body(0)]);
    expect(file.syncs()).toBe(syncs);
  });

  it.each(['write', 'datasync'] as const)(
    'that failed at %s and could not be taken back are taken back by the next',
    async (what) => {
      const whole = fakeFile();
      const again = lineAppender({ ...whole, file: 'j', fsync: 'always', end: 0, sum: 0 });
      await again([body(0)]);
      await again([body(2)]);

      const file = fakeFile();
      const append = lineAppender({ ...file, file: 'j', fsync: 'always', end: 0, sum: 0 });
      await append([body(0)]);
      const acknowledged = file.text().length;
      file.broken.add(what).add('truncate');
      await expect(append([body(1)])).rejects.toMatchObject({ code: 'EIO' });
      expect(file.text().length).toBeGreaterThan(acknowledged);
      await expect(append([body(1)])).rejects.toMatchObject({ code: 'EIO' });
      file.broken.clear();
      await append([body(2)]);
      expect(file.text()).toBe(whole.text());
    },
  );

  it('are not written over what somebody else wrote, then or ever after', async () => {
    const file = fakeFile();
    const append = lineAppender({ ...file, file: 'j', fsync: 'always', end: 0, sum: 0 });
    await file.handle.write(Buffer.from('x'), 0, 1);
    await expect(append([body(0)])).rejects.toMatchObject({ code: 'conflict' });
    await file.handle.truncate(0);
    await expect(append([body(0)])).rejects.toMatchObject({ code: 'conflict' });
    expect(file.text()).toBe('');
  });
});
