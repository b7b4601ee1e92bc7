import {
  assistant,
  call,
  createSession,
  type Message,
  type NewMessage,
  presets,
  result,
  results,
  user,
  wordsOf,
} from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { answerTo } from '../src/models/offline/offline-model.ts';

function viewOf(...messages: readonly NewMessage[]): readonly Message[] {
  const session = createSession({ window: 1_000_000 });
  for (const message of messages) session.append(message);
  return session.transcript();
}

/** The files that it reads for a request, in order, where each result comes back whole. */
function runOf(request: string): readonly string[] {
  const view = [user(request)];
  const read: string[] = [];
  for (;;) {
    const { calls } = answerTo(viewOf(...view));
    if (calls.length === 0) return read;
    const paths = calls.map(({ input }) => String(input.path));
    read.push(...paths);
    view.push(
      assistant(paths.map((path, i) => call(`c${read.length}-${i}`, 'read_file', { path }))),
      results(paths.map((path, i) => result(`c${read.length}-${i}`, `${path} (lines 1 to 1 of 1)\nthe mill`))),
    );
  }
}

describe('a request of several steps', () => {
  it('may leave the verb out where it is that of the step before', () => {
    expect(runOf('read a.txt, then b.txt, then a.txt')).toEqual(['a.txt', 'b.txt', 'a.txt']);
    expect(answerTo(viewOf(user('a.txt'))).text).toContain('I cannot do “a.txt”');
  });

  it('is gone on with by its order where a layer has hidden the beginning', () => {
    const steps = 'read a.txt, then b.txt, then a.txt, then c.txt, then a.txt';
    const summary = (last: string) => ({
      ...user(`Summary.\n\n## State\nNewest request #2: ${steps}\nLast call #9: read_file ${last} (ok)`),
      origin: 'palimpsest' as const,
      standsFor: { from: 'hidden-1', to: 'hidden-9' },
    });
    const read = (path: string) => [
      assistant([call(path, 'read_file', { path })]),
      results([result(path, `${path} (lines 1 to 1 of 1)\nthe mill`)]),
    ];
    const next = (...view: readonly NewMessage[]) =>
      answerTo(viewOf(user('read z.txt'), user(steps), ...view)).calls.map(({ input }) => input.path);
    expect(next(summary('b.txt'))).toEqual(['a.txt']);
    expect(next(summary('b.txt'), ...read('a.txt'))).toEqual(['c.txt']);
    expect(next(summary('a.txt'), ...read('c.txt'))).toEqual(['a.txt']);
    expect(next(summary('c.txt'), ...read('a.txt'))).toEqual([]);
  });

  it('is not taken for begun elsewhere by a sentence that only says that something is hidden', () => {
    const telling = {
      ...user('[Parts of this conversation were hidden to save space. Nothing is lost.]'),
      origin: 'palimpsest' as const,
      synthetic: 'recall_told' as const,
    };
    const read = [
      assistant([call('c1', 'read_file', { path: 'a.txt' })]),
      results([result('c1', '[read_file result cleared; recall e1]')]),
    ];
    const { calls } = answerTo(viewOf(user('read a.txt, then b.txt, then a.txt'), ...read, telling));
    expect(calls.map(({ input }) => input.path)).toEqual(['b.txt']);
  });
});

it.each(['claude-code', 'open-code'] as const)(
  'with the preset %s, which folds what users write, the request in hand is gone on with and rules are known',
  async (preset) => {
    const session = createSession({ window: 6_000, layers: presets[preset]() });
    session.append(user('read z.txt'));
    session.append(assistant('I read z.txt.'));
    session.append(user('remember: never touch the weir'));
    session.append(assistant('Noted.'));
    session.append(user('read every file in src'));
    for (let n = 1; n <= 9; n++) {
      session.append(assistant([call(`c${n}`, 'read_file', { path: `src/${n}` })]));
      session.append(results([result(`c${n}`, `src/${n} (lines 1 to 9 of 9)\n${'the mill grinds on. '.repeat(90)}`)]));
    }
    await session.compact({ form: 'all' });
    const { messages } = await session.view();
    expect(messages.filter(({ origin }) => origin === 'human').map(wordsOf)).toEqual(['read z.txt']);
    expect(answerTo(messages).calls).toMatchObject([{ tool: 'glob', input: { pattern: 'src/**/*', after: 'src/9' } }]);
    session.append(user('what must you never touch?'));
    expect(answerTo((await session.view()).messages).text).toBe('You said:\n  “remember: never touch the weir”');
  },
);

describe('what was in a file', () => {
  it('is found by the last name of the file, in view and in what recall finds', () => {
    const read = [
      user('read src/mill/wheel.ts'),
      assistant([call('c1', 'read_file', { path: 'src/mill/wheel.ts' })]),
      results([result('c1', 'src/mill/wheel.ts (lines 1 to 1 of 1)\nexport const wheel = 7;')]),
      assistant('Read.'),
    ];
    expect(answerTo(viewOf(...read, user('what was in wheel.ts?'))).text).toContain('export const wheel = 7;');
    const both = [
      user('read wheel.ts'),
      assistant([call('c0', 'read_file', { path: 'wheel.ts' })]),
      results([result('c0', '[read_file result cleared; recall e5]')]),
      assistant('Read.'),
      ...read,
    ];
    expect(answerTo(viewOf(...both, user('what was in wheel.ts?'))).calls, 'the very path before a last name').toEqual([
      { tool: 'recall', input: { reference: 'e5' } },
    ]);
    const found = [
      user('what was in wheel.ts?'),
      assistant([call('c2', 'recall', { query: 'wheel.ts' })]),
      results([
        result(
          'c2',
          'Found, best first; read a message whole with its id as reference:\n\n— m9 · user\nwhat was in wheel.ts?\n\n— m3 · result of read_file src/mill/wheel.ts\nsrc/mill/wheel.ts (lines 1 to 1 of 1)',
        ),
      ]),
    ];
    expect(answerTo(viewOf(...found)).calls).toEqual([{ tool: 'recall', input: { reference: 'm3' } }]);
  });
});
