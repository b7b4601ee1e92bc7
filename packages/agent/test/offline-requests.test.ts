import {
  assistant,
  call,
  createSession,
  type Message,
  type NewMessage,
  result,
  results,
  text,
  user,
} from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { answerTo } from '../src/models/offline/offline-model.ts';

/** The view of a conversation that nothing was hidden from. */
function viewOf(...messages: readonly NewMessage[]): readonly Message[] {
  const session = createSession({ window: 1_000_000 });
  for (const message of messages) session.append(message);
  return session.transcript();
}

const callsFor = (request: string): readonly unknown[] =>
  answerTo(viewOf(user(request))).calls.map(({ tool, input }) => [tool, input]);

describe('a message with a pasted page', () => {
  const page = Array.from({ length: 5_000 }, (_, i) => `line ${i} of a log: read nothing, write nothing`).join('\n');

  it.each([
    ['behind it', `${page}\nread src/cents.ts`],
    ['before it', `read src/cents.ts\n${page}`],
  ])('is an order by the line that was typed %s, and its lines are none', (_where, request) => {
    expect(callsFor(request)).toEqual([['read_file', { path: 'src/cents.ts' }]]);
    const done = answerTo(
      viewOf(
        user(request),
        assistant([call('c1', 'read_file', { path: 'src/cents.ts' })]),
        results([result('c1', 'export const cents = 1;')]),
      ),
    );
    expect(done.calls).toEqual([]);
    expect(done.text).not.toContain('I cannot do');
  });

  it('is still that order where the engine has cut the page, whose mark is no order', () => {
    for (const mark of ['[… 180000 characters cut; recall e2 …]', '[… 180000 characters cut (e2) …]', '[… cut …]'])
      expect(callsFor(`line 0 of a log\n${mark}\nline 4999 of a log\nread src/cents.ts`)).toEqual([
        ['read_file', { path: 'src/cents.ts' }],
      ]);
    expect(callsFor('[… 12 characters cut; recall e2 …]')).toEqual([]);
  });

  it('is not taken up again when a summary behind a newer request quotes it', () => {
    const summary = {
      ...user(`## User (quoted)\nm2:\n> line 0 of a log\n> [… cut …]\n> read src/cents.ts\n`),
      origin: 'palimpsest' as const,
      standsFor: { from: 'm2', to: 'm9' },
    };
    const view = viewOf({ ...user('good morning'), id: 'm1' }, { ...user('read README.md'), id: 'm5' }, summary);
    expect(answerTo(view).calls.map(({ input }) => input)).toEqual([{ path: 'README.md' }]);
  });

  it('without any order is answered once', () => {
    expect(answerTo(viewOf(user(page))).text.match(/I cannot do/g)).toHaveLength(1);
  });
});

describe('the tour in Chinese', () => {
  it.each([
    ['读取 README.md', [['read_file', { path: 'README.md' }]]],
    ['请读取 src 里的每个文件。', [['glob', { pattern: 'src/**/*', limit: 60 }]]],
    ['看看 src 目录下的所有文件', [['glob', { pattern: 'src/**/*', limit: 60 }]]],
    ['读取 a.ts，然后读取 b.ts', [['read_file', { path: 'a.ts' }]]],
  ])('%s', (request, calls) => {
    expect(callsFor(request)).toEqual(calls);
  });

  it('what was in a file is asked for as in English', () => {
    expect(callsFor('coupons.ts 里有什么？')).toEqual(callsFor('what was in coupons.ts?'));
    expect(callsFor('coupons.ts 里有什么？')).not.toEqual([]);
  });

  it('a rule is noted, and told when it is asked for', () => {
    const rule = '记住：不要动 db/migrations';
    const noted = answerTo(viewOf(user(rule)));
    expect(noted.text).toContain(rule);
    const asked = answerTo(viewOf(user(rule), assistant([text(noted.text)]), user('你绝对不能动什么？')));
    expect(asked).toMatchObject({ calls: [] });
    expect(asked.text).toContain(`“${rule}”`);
    expect(asked.text).not.toContain('不懂');
  });

  it('every sentence that is given as an example is understood', () => {
    const { text: told } = answerTo(viewOf(user('你能做什么？')));
    const examples = told.split('\n').filter((line) => /^ {2}.*\p{Script=Han}/u.test(line));
    expect(examples).toHaveLength(4);
    for (const example of examples) expect(answerTo(viewOf(user(example.trim()))).text).not.toContain('不懂');
  });
});
