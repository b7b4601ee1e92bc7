import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createBodyKeeper } from '../src/keep/body-keeper.ts';
import type { BodyKeeper, ToOpen } from '../src/keep/body-types.ts';
import { openBody } from '../src/keep/open-body.ts';

const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello '.repeat(20_000) }] });
const body: ToOpen = { id: 'one', api: 'anthropic', bytes: gzipSync(text), coding: 'gzip', mostBytes: 2 ** 20 };

it('frees a body whose request ends while it is decompressed', async () => {
  const keeper = createBodyKeeper({ connectMs: 1_000 });
  const handle = openBody(keeper, body);
  const opening = handle.open();
  handle.end();
  expect((await opening).size).toBe(text.length);
  await expect.poll(() => keeper.count('one').catch(({ code }) => code)).toBe('unknown-body');
  await keeper.close();
});

it('frees a body that was stored although the keeper could not answer', async () => {
  const ended: string[] = [];
  const keeper = {
    open: () => Promise.reject(new RangeError('too deep to be sent')),
    end: async (id: string) => void ended.push(id),
  } as unknown as BodyKeeper;
  const handle = openBody(keeper, body);
  await expect(handle.open()).rejects.toThrow('too deep');
  handle.end();
  await expect.poll(() => ended).toEqual(['one']);
});
