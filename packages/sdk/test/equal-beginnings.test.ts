import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileStore } from '@palimpsest/store';
import { bundleChild, startChild } from '@palimpsest/testing/children/child-process';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeeper } from '../src/keeper.ts';

const USERS = 200;
/** What npm installed is found from here upwards. */
const BUILDS = fileURLToPath(new URL(`../.test-build/${process.pid}`, import.meta.url));
const ground = mkdtempSync(join(tmpdir(), 'palimpsest-greeters-'));
afterAll(() => {
  for (const dir of [ground, BUILDS]) rmSync(dir, { recursive: true, force: true });
});

describe('400 users of two processes who begin with the same words', () => {
  it('wait for nobody, open only what is their own, and are found again', { timeout: 120_000 }, async () => {
    const script = await bundleChild(new URL('./children/greeter.ts', import.meta.url), BUILDS);
    const dir = join(ground, 'sessions');
    const children = ['a', 'b'].map((name) => startChild(script, [dir, name, String(USERS)]));
    for (const child of children) {
      // A beginning is anyone's, and costs no store anything.
      expect(await child.line('opened')).toBe('opened 0');
      const seen = JSON.parse((await child.line('done')).slice('done '.length)) as Record<string, number>;
      expect(child.lines.filter((line) => line.startsWith('mixed'))).toEqual([]);
      expect(seen.waits).toBe(0);
      expect(seen.sessions).toBe(USERS);
      expect(seen.opens).toBe(USERS);
      expect(seen.reads).toBe(0);
      expect((await child.ended).code).toBe(0);
    }
    const store = fileStore({ dir, fsync: 'never' });
    expect(await store.list()).toHaveLength(2 * USERS);
    const keeper = createKeeper({ window: 8_000, store });
    for (const user of ['a0', 'b7', `a${USERS - 1}`]) {
      const words = ['hi', 'Hello!', `I am ${user}. What now?`, 'Work.', `Which, for ${user}?`, 'This.', 'Thanks.'];
      const messages = words.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }));
      const kept = await keeper.keep({ wire: 'openai-chat', body: { model: 'gpt-5.5', messages } });
      expect(kept?.how).toBe('restored');
    }
    await keeper.close();
  });
});
