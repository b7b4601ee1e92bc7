import { expect, it } from 'vitest';
import { assistant, createSession, user } from '../../src/index.ts';

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
