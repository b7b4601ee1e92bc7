import { expect, it } from 'vitest';
import { assistant, createSession, presets, user } from '../../src/index.ts';
import { long, textOf } from '../texts.ts';

it('preset claude-code: the summary names the file where the journal keeps the transcript; without one, the reference alone', async () => {
  const journal = { location: '/home/me/sessions/s1.jsonl', append: async () => {}, close: async () => {} };
  const frameOf = async (name: 'claude-code' | 'default', located: boolean): Promise<string> => {
    const { location: _, ...bare } = journal;
    const session = createSession({ window: 32_000, layers: presets[name](), journal: located ? journal : bare });
    for (let i = 0; i < 40; i++) {
      session.append(user(`Do ${i} ${long('this', 100)}`));
      session.append(assistant(`Done ${i} ${long('so', 100)}`));
    }
    await session.compact();
    const { messages } = await session.view();
    return textOf(messages.filter((one) => one.origin === 'palimpsest').slice(0, 1)).split('\n')[0]!;
  };
  expect(await frameOf('claude-code', true)).toContain('The whole transcript is kept in /home/me/sessions/s1.jsonl.');
  expect(await frameOf('claude-code', false)).toMatch(/recall e\d+ reads any of them in full\. It is a record/);
  expect(await frameOf('default', true)).not.toContain('s1.jsonl');
});
