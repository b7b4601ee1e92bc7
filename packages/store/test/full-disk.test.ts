import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStore } from '@palimpsest/store';
import { bundleChild, startChild } from '@palimpsest/testing/children/child-process';
import { numberedRecord } from '@palimpsest/testing/children/numbered-record';
import { afterAll, describe, expect, it } from 'vitest';
import { newGround } from './new-ground.ts';

const run = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;

describe('a process that may not write more', () => {
  it('leaves the file whole, says that there is no room, and goes on when there is', async () => {
    const dir = newGround();
    const file = join(dir, 's', 'journal.jsonl');
    const child = startChild(await bundleChild(new URL('./children/limited-writer.ts', import.meta.url), newGround()), [
      dir,
    ]);
    const limit = (bytes: number | 'unlimited') =>
      expect(run('prlimit', `--pid=${child.pid}`, `--fsize=${bytes}:`), 'prlimit is needed').toBe(true);
    const told = async (order: string): Promise<string> => {
      child.say(order);
      return (await child.line('result')).slice(7);
    };
    try {
      await child.line('opened');
      expect(await told('append 0 100 1 100')).toBe('ok ok');
      const before = readFileSync(file);
      limit(before.length + 5000);

      // The first part of the record reaches the file before the limit stops the rest.
      expect(await told('append 2 20000')).toBe('disk-full');
      expect(readFileSync(file).equals(before)).toBe(true);
      // What is queued behind a failed append fails with it, though there would be room.
      expect(await told('append 2 20000 3 100 4 100')).toBe('disk-full disk-full disk-full');
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(await told('stash 50000')).toBe('disk-full');
      expect(readdirSync(join(dir, 's')).sort()).toEqual(['journal.jsonl', 'lock', 'stash']);
      expect(readdirSync(join(dir, 's', 'stash'))).toEqual([]);

      expect(await told('append 2 100')).toBe('ok');
      limit('unlimited');
      expect(await told('append 3 20000 4 100')).toBe('ok ok');
      expect(await told('stash 50000')).toBe('ok');
      expect(await told('close')).toBe('closed');
    } finally {
      child.process.kill('SIGKILL');
    }
    const session = await fileStore({ dir }).open('s');
    expect(session.repaired).toBeUndefined();
    expect(session.records).toEqual([100, 100, 100, 20000, 100].map((chars, n) => numberedRecord(n, chars)));
    await session.journal.close();
  });
});

// Needs the right to mount; the limit above proves the same rules without it.
const disk = mkdtempSync(join(tmpdir(), 'palimpsest-disk-'));
const mounted = run('mount', '-t', 'tmpfs', '-o', 'size=512k', 'palimpsest-test', disk);

if (!mounted) rmSync(disk, { recursive: true });
else
  describe('a disk that is full', () => {
    afterAll(() => {
      expect(run('umount', '-l', disk)).toBe(true);
      rmSync(disk, { recursive: true });
    });

    const ballast = join(disk, 'ballast');
    const fill = (): void => {
      writeFileSync(ballast, '');
      for (const bytes of [4096, 1]) {
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(bytes));
        } catch (error) {
          expect(error).toMatchObject({ code: 'ENOSPC' });
        }
      }
    };

    it('loses nothing acknowledged, takes back what did not fit, and goes on when there is room', async () => {
      const file = join(disk, 's', 'journal.jsonl');
      const session = await fileStore({ dir: disk }).open('s');
      let acknowledged = 0;
      for (let round = 0; round < 5; round++) {
        fill();
        const from = acknowledged;
        for (let refused = false; !refused; ) {
          const size = statSync(file).size;
          try {
            await session.journal.append([numberedRecord(acknowledged, 1000)]);
            acknowledged++;
          } catch (error) {
            expect(error).toMatchObject({ name: 'StoreError', code: 'disk-full', file });
            expect(statSync(file).size).toBe(size);
            refused = true;
          }
        }
        expect(acknowledged - from).toBeLessThan(6);
        await expect(session.stash.put('x'.repeat(100_000))).rejects.toMatchObject({ code: 'disk-full' });
        rmSync(ballast);
        await session.journal.append([numberedRecord(acknowledged++, 1000)]);
        await session.stash.put(`${round} `.padEnd(10_000));
      }
      await session.journal.close();
      const again = await fileStore({ dir: disk }).open('s');
      expect(again.repaired).toBeUndefined();
      expect(again.records).toEqual(Array.from({ length: acknowledged }, (_, n) => numberedRecord(n, 1000)));
      await again.journal.close();
    });

    it('refuses to repair a torn file where the torn bytes cannot be kept, and repairs it later', async () => {
      const file = join(disk, 'torn', 'journal.jsonl');
      const session = await fileStore({ dir: disk }).open('torn');
      await session.journal.append([numberedRecord(0, 100)]);
      await session.journal.close();
      appendFileSync(file, '{"v":1,'.padEnd(9000, 'x'));
      const torn = readFileSync(file);
      fill();
      await expect(fileStore({ dir: disk }).open('torn')).rejects.toMatchObject({ code: 'disk-full' });
      expect(readFileSync(file).equals(torn)).toBe(true);
      expect((await fileStore({ dir: disk }).read('torn')).records).toEqual([numberedRecord(0, 100)]);
      rmSync(ballast);
      const again = await fileStore({ dir: disk }).open('torn');
      expect(again.records).toEqual([numberedRecord(0, 100)]);
      expect(again.repaired).toMatchObject({ droppedBytes: 9000 });
      await again.journal.close();
    });
  });
