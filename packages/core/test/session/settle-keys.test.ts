import { expect, it } from 'vitest';
import { assistant, createSession, user } from '../../src/index.ts';
import { settleNeeds } from '../../src/session/settle.ts';

it('what is asked for in words that hold half a pair is asked for once: never a loop', async () => {
  let calls = 0;
  const summarizer = {
    window: 100_000,
    async summarize() {
      if (++calls > 5) throw new Error('asked again and again');
      return { text: 'The work on the reader goes on, as asked.', stop: 'end' as const };
    },
  };
  const session = createSession({ window: 20_000, drafts: false, ports: { summarizer } });
  for (let i = 0; i < 30; i++) {
    session.append(user(`Do number ${i}, ${'and mind it '.repeat(20)}`));
    session.append(assistant(`Did number ${i}, ${'so it is '.repeat(20)}`));
  }
  await session.compact({ instructions: 'mind a\ud83d b' });
  expect(calls).toBeLessThanOrEqual(2);
});

it('many needs under one signal are no reason for a warning', async () => {
  const warned: Error[] = [];
  const note = (warning: Error): void => void warned.push(warning);
  process.on('warning', note);
  const { signal } = new AbortController();
  const needs = Array.from({ length: 30 }, (_, i) => ({ type: 'stash' as const, key: `k${i}`, text: `text ${i}` }));
  const stash = { put: async (text: string) => `ref of ${text}`, get: async () => undefined };
  const { facts } = await settleNeeds(
    (known) => ({ needs: needs.filter(({ key }) => !known.has(key)) }),
    { stash },
    { signal },
  );
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect([facts.size, warned]).toEqual([30, []]);
});
