import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileStore, type StoreError } from '@palimpsest/store';
import { bundleChild, childOf, startChild } from '@palimpsest/testing/children/child-process';
import { numberedRecord } from '@palimpsest/testing/children/numbered-record';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deadClaim, plant, rightTo } from './children/dead-claim.ts';
import { newGround } from './new-ground.ts';

const deadPid = spawnSync(process.execPath, ['-e', '']).pid;
/** After this silence a holder on another machine counts as dead. */
const SILENT_MS = 60_000;
/** Locks that each of four processes takes. */
const WINS = process.env.DEEP === '1' ? 150 : 50;
const longAgo = new Date(Date.now() - 10 * 60_000);

describe('the lock of a session', () => {
  let dir: string;
  let lock: string;
  const open = () => fileStore({ dir }).open('s');
  const openAndClose = async () => (await open()).journal.close();

  beforeEach(async () => {
    dir = newGround();
    lock = join(dir, 's', 'lock');
    await openAndClose();
  });

  it('is never held by two, however many race for it, also for those that the dead left', async () => {
    const script = await bundleChild(new URL('./children/racer.ts', import.meta.url), newGround());
    const path = join(dir, 'contended');
    plant(path, deadClaim(deadPid));
    const racers = Array.from({ length: 4 }, () => startChild(script, [path, String(deadPid), String(WINS)]));
    await Promise.all(racers.map((racer) => racer.line('ready')));
    for (const racer of racers) racer.say('go');
    const ends = await Promise.all(racers.map((racer) => racer.ended));
    const said = racers.flatMap((racer) => racer.lines);
    expect(said.filter((line) => line !== 'ready' && !line.startsWith('done'))).toEqual([]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    // They did meet.
    for (const racer of racers) expect(Number((await racer.line('done')).slice(5))).toBeGreaterThan(0);
  });

  it('leaves nothing behind when it is released', async () => {
    await openAndClose();
    expect(readdirSync(join(dir, 's'))).toEqual(['journal.jsonl']);
  });

  it('names the living process that holds it, also a stopped one, and is free at once when that is killed', async () => {
    const holder = startChild(await bundleChild(new URL('./children/holder.ts', import.meta.url), newGround()), [dir]);
    try {
      await holder.line('holding');
      holder.process.kill('SIGSTOP');
      const error = (await open().catch((error: unknown) => error)) as StoreError;
      expect(error).toMatchObject({ name: 'StoreError', code: 'locked', file: lock, holder: { pid: holder.pid } });
      expect(error.message).toContain(`process ${holder.pid}`);
      expect(error.message).toContain('waitMs');
    } finally {
      holder.process.kill('SIGKILL');
    }
    const session = await fileStore({ dir }).open('s', { waitMs: 60_000 });
    expect(session.records).toEqual([numberedRecord(0, 100)]);
    await session.journal.close();
  });

  it('of a killed process that nobody buried is free', async () => {
    const script = await bundleChild(new URL('./children/holder.ts', import.meta.url), newGround());
    // `sleep` takes the shell's place and never asks after the child: once killed it stays as a zombie.
    const shell = '"$0" "$1" "$2" & exec sleep 300';
    const parent = childOf(spawn('/bin/sh', ['-c', shell, process.execPath, script, dir], { stdio: 'pipe' }));
    try {
      const pid = Number((await parent.line('holding')).slice(8));
      process.kill(pid, 'SIGKILL');
      const session = await fileStore({ dir }).open('s', { waitMs: 60_000 });
      expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
      await session.journal.close();
    } finally {
      parent.process.kill('SIGKILL');
    }
  });

  it('of a pid that now belongs to another process is free', async () => {
    plant(lock, deadClaim(process.ppid));
    await openAndClose();
  });

  it('of another machine is respected while it gives signs of life, and free when it fell silent', async () => {
    plant(lock, deadClaim(1, { host: 'elsewhere', place: 'elsewhere' }));
    const error = (await open().catch((error: unknown) => error)) as StoreError;
    expect(error).toMatchObject({ code: 'locked', holder: { pid: 1, host: 'elsewhere' } });
    expect(error.message).toContain('elsewhere');
    utimesSync(lock, longAgo, longAgo);
    await openAndClose();
  });

  it('that cannot be read is respected while it is fresh, and free later', async () => {
    for (const text of ['', '{"pid":', '{"pid":-1}', 'null']) {
      writeFileSync(lock, text);
      await expect(open()).rejects.toMatchObject({ code: 'locked' });
      utimesSync(lock, longAgo, longAgo);
      await openAndClose();
    }
  });

  it('gives signs of life as long as it is held, often enough not to count as dead, and none later', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const session = await open();
      for (let beat = 0; beat < 2; beat++) {
        utimesSync(lock, longAgo, longAgo);
        vi.advanceTimersByTime(SILENT_MS / 2);
        await expect.poll(() => statSync(lock).mtimeMs).toBeGreaterThan(longAgo.getTime());
      }
      await session.journal.close();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('gets rid of what takers that were killed left', async () => {
    const claim = deadClaim(deadPid);
    plant(lock, claim);
    plant(rightTo(lock, claim), deadClaim(deadPid));
    plant(`${lock}.0123.staged`, deadClaim(deadPid));
    plant(rightTo(lock, 'some older claim'), deadClaim(deadPid));
    await openAndClose();
    expect(readdirSync(join(dir, 's'))).toEqual(['journal.jsonl']);
  });

  it('removed by hand lets another in; the first then writes nothing more, and leaves the other its lock', async () => {
    const first = await open();
    await first.journal.append([numberedRecord(0, 100)]);
    unlinkSync(lock);
    const second = await open();
    await second.journal.append([numberedRecord(1, 100)]);
    for (let i = 0; i < 2; i++)
      await expect(first.journal.append([numberedRecord(9, 100)])).rejects.toMatchObject({ code: 'conflict' });
    await first.journal.close();
    await second.journal.append([numberedRecord(2, 100)]);
    await second.journal.close();
    expect((await fileStore({ dir }).read('s')).records).toEqual([0, 1, 2].map((n) => numberedRecord(n, 100)));
  });

  it('does not help a writer whose file somebody else changed: it writes nothing more', async () => {
    const file = join(dir, 's', 'journal.jsonl');
    const session = await open();
    await session.journal.append([numberedRecord(0, 100)]);
    writeFileSync(file, 'x', { flag: 'a' });
    const bytes = readFileSync(file);
    await expect(session.journal.append([numberedRecord(1, 100)])).rejects.toMatchObject({ code: 'conflict', file });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    await session.journal.close();
  });

  it('and session deleted under a writer is a conflict, not a new session', async () => {
    const session = await open();
    rmSync(join(dir, 's'), { recursive: true });
    await expect(session.journal.append([numberedRecord(0, 100)])).rejects.toMatchObject({ code: 'conflict' });
    await session.journal.close();
    expect(await fileStore({ dir }).list()).toEqual([]);
  });
});
