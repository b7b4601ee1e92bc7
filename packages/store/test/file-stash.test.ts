import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileStore, type StoredSession } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { newGround } from './new-ground.ts';

describe('the stash beside a journal', () => {
  const opened = async (): Promise<{ session: StoredSession; home: string }> => {
    const dir = newGround();
    return { session: await fileStore({ dir }).open('s'), home: join(dir, 's') };
  };

  it('is plain text in a file named after its hash', async () => {
    const { session, home } = await opened();
    const ref = await session.stash.put('line 1\nline 2\n');
    expect(readFileSync(join(home, 'stash', `${ref}.txt`), 'utf8')).toBe('line 1\nline 2\n');
    await session.journal.close();
  });

  it('refuses a text that is not the one saved, and saving it again mends it', async () => {
    const { session, home } = await opened();
    for (const text of ['some text', 'half a pair \ud800']) {
      const ref = await session.stash.put(text);
      const file = join(home, 'stash', `${ref}.txt`);
      const bytes = readFileSync(file);
      for (const damaged of [Buffer.alloc(0), bytes.subarray(1), Buffer.concat([bytes, Buffer.from('x')])]) {
        writeFileSync(file, damaged);
        await expect(session.stash.get(ref)).rejects.toMatchObject({ name: 'StoreError', code: 'corrupt', file });
        expect(readFileSync(file).equals(damaged)).toBe(true);
        expect(await session.stash.put(text)).toBe(ref);
        expect(await session.stash.get(ref)).toBe(text);
      }
    }
    await session.journal.close();
  });

  it('leaves nothing half-written: what a killed writer left is removed by the next', async () => {
    const { session, home } = await opened();
    await session.journal.close();
    writeFileSync(join(home, '0123456789abcdef.part'), 'half of a te');
    const again = await fileStore({ dir: join(home, '..') }).open('s');
    await again.stash.put('text');
    await again.journal.close();
    expect(readdirSync(home).sort()).toEqual(['journal.jsonl', 'stash']);
  });

  it('and the journal are readable by their owner alone', async () => {
    const { session, home } = await opened();
    const ref = await session.stash.put('secret');
    await session.journal.close();
    const modeOf = (path: string) => statSync(join(home, path)).mode & 0o777;
    expect([modeOf('.'), modeOf('stash'), modeOf('journal.jsonl'), modeOf(`stash/${ref}.txt`)]).toEqual([
      0o700, 0o700, 0o600, 0o600,
    ]);
  });
});
