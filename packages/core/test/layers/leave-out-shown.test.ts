import { describe, expect, it } from 'vitest';
import { assistant, call, createSession, type Message, result, results, user } from '../../src/index.ts';
import { leaveOutShown } from '../../src/layers/summarize-history/leave-out-shown.ts';
import { long, textOf } from '../texts.ts';

const lines = (from: number, to: number, write = (n: number) => `const value_${n} = ${n};`): string =>
  Array.from({ length: to - from }, (_, i) => write(from + i)).join('\n');
const numbered = (n: number): string => `${String(n).padStart(6)}→const value_${n} = ${n};`;
const shown = (body: string): Message => ({
  id: 'm',
  role: 'user',
  origin: 'tool',
  parts: [{ type: 'text', text: body }],
});
const file = (text: string) => ({ kind: 'file', name: 'a.ts', text }) as const;

describe('a file that is carried', () => {
  it('leaves out lines that the kept messages show, whatever numbers stand before them, and says how many', () => {
    const [item] = leaveOutShown([file(lines(0, 30))], [shown(lines(10, 20, numbered))]);
    expect(item!.text).toBe(`${lines(0, 10)}\n[… 10 lines that are shown above …]\n${lines(20, 30)}`);
  });

  it('is left out where all of it is shown', () => {
    expect(leaveOutShown([file(lines(5, 9, numbered))], [shown(lines(0, 30))])).toEqual([]);
  });

  it('stays as it is where only some lines here and there are, or none', () => {
    const text = `${lines(0, 3)}\n}\n\nnew line one\n}`;
    for (const kept of [[], [shown('}\n')], [shown(lines(0, 3))]])
      expect(leaveOutShown([file(text)], kept)).toEqual([file(text)]);
  });

  it('what is no file stays', () => {
    const todo = { kind: 'todo', name: 'todo', text: lines(0, 30) } as const;
    expect(leaveOutShown([todo], [shown(lines(0, 30))])).toEqual([todo]);
  });
});

describe('behind a summary', () => {
  const setUp = async (tail: string) => {
    const session = createSession({ window: 60_000, drafts: false });
    session.append(user('look'));
    session.append(assistant([call('r1', 'read', { path: 'src/a.ts' })]));
    session.append(results([result('r1', lines(0, 100, numbered))]));
    for (let i = 0; i < 12; i++) {
      session.append(user(`Do ${i}`));
      session.append(assistant(`Done ${i} ${long('so', 800)}`));
    }
    session.append(user('now'));
    session.append(assistant([call('g', 'grep', { pattern: 'value' })]));
    session.append(results([result('g', tail)]));
    session.append(user('and then?'));
    await session.compact({ form: 'up-to' });
    return textOf((await session.view()).messages);
  };

  it('a file comes back without what the tail shows of it', async () => {
    expect(await setUp('nothing')).toMatch(/<carried kind="file" name="src\/a.ts">\n +0→const value_0 = 0;/);
    const view = await setUp(lines(0, 60));
    expect(view).toContain('<carried kind="file" name="src/a.ts">\n[… 60 lines that are shown above …]');
    expect(view.slice(view.indexOf('<carried'), view.indexOf('</carried>'))).not.toContain('const value_30 = 30;');
  });
});
