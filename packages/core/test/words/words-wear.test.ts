import { describe, expect, it } from 'vitest';
import { assistant, createSession, type PresetName, presets, user } from '../../src/index.ts';
import { long, textOf } from '../texts.ts';

const said = Array.from(
  { length: 30 },
  (_, i) =>
    `Item ${String.fromCodePoint(97 + (i % 26), 98 + ((i * 7) % 25), 98 + ((i * 3) % 23))} holds value ${i * 37}, mind it.`,
);
const rule = 'Never write to the folder archive-77.';
const newest = 'Now please compare the totals of both tables, nothing else.';

describe.each(Object.keys(presets) as PresetName[])('preset %s', (preset) => {
  it('the words of the user do not wear out by compacting again and again', async () => {
    const session = createSession({ window: 60_000, layers: presets[preset](), drafts: false });
    session.append(user(rule));
    for (const words of [...said, newest]) {
      session.append(assistant(long('so it goes', 20)));
      session.append(user(words));
    }
    session.append(assistant('I compare.'));
    const all = [rule, ...said, newest];
    for (let i = 0; i < 8; i++) {
      session.append(assistant(long('and so on', 6)));
      session.append(user('go on'));
      await session.compact({ form: 'all' }).catch(() => undefined);
      const seen = textOf((await session.view()).messages);
      expect(all.filter((words) => !seen.includes(words))).toEqual([]);
    }
  });
});
