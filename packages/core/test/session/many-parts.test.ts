import { fastOrDeep } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import { assistant, call, createSession, type NewMessage, result, results, text, user } from '../../src/index.ts';

/** Both are too many for the window, so that both are cut. */
const few = 250;
const many = fastOrDeep(1_000, 2_000);
const output = (i: number): string => `result ${i} ${'x '.repeat(40)}`;
const list = <One>(count: number, make: (i: number) => One): One[] => Array.from({ length: count }, (_, i) => make(i));

const shapes: readonly (readonly [string, (count: number) => readonly NewMessage[]])[] = [
  [
    'parallel calls with their results',
    (count) => [
      assistant(list(count, (i) => call(`c${i}`, 'bash', { i }))),
      results(list(count, (i) => result(`c${i}`, output(i)))),
    ],
  ],
  ['texts of the user', (count) => [user(list(count, (i) => text(output(i))))]],
  [
    'pieces of one result',
    (count) => [
      assistant([call('c', 'bash', {})]),
      results([
        result(
          'c',
          list(count, (i) => text(output(i))),
        ),
      ]),
    ],
  ],
  [
    'calls with one id, mended',
    (count) => [
      assistant(list(count, () => call('same', 'bash', {}))),
      results(list(count, (i) => result('same', output(i)))),
    ],
  ],
];

async function timeView(messages: readonly NewMessage[]): Promise<number> {
  const session = createSession({ window: 8_000, broken: 'mend' });
  const start = performance.now();
  session.append(user('go'));
  for (const message of messages) session.append(message);
  await session.view();
  // Two thousand texts of the user are as many marks at least: that much cannot be hidden without a word.
  await session.overflowed().catch(() => undefined);
  return performance.now() - start;
}

/** The least of three: what else the machine does is no part of it. */
const timeLeast = async (messages: readonly NewMessage[]): Promise<number> =>
  Math.min(await timeView(messages), await timeView(messages), await timeView(messages));

describe('a view costs what its parts are, however many stand in one message', () => {
  it.each(shapes)('%s', async (_, make) => {
    await timeView(make(100));
    const took = await timeLeast(make(few));
    // A part may cost three times as much at the most; by squares it would be four or eight times.
    expect(await timeLeast(make(many))).toBeLessThan(3 * (many / few) * Math.max(took, 10));
  });
});
