import { fastOrDeep } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type NewMessage,
  partText,
  result,
  results,
  text,
  user,
} from '../../src/index.ts';

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
  await session.overflowed();
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

describe('a message of two thousand texts', () => {
  const parts = list(2_000, (i) => text(output(i)));

  it('fits, with one mark for the neighbours that were cut, and the first and the last of them whole', async () => {
    const session = createSession({ window: 8_000 });
    session.append(user(parts));
    const { fits, messages, tokens } = await session.view();
    expect(fits).toBe(true);
    expect(tokens).toBeLessThan(8_000);
    const shown = messages.flatMap((message) => message.parts.map(partText));
    const marks = shown.filter((one) => one.startsWith('[… parts cut; recall '));
    expect(marks).toHaveLength(1);
    expect(shown.length).toBeGreaterThan(10);
    expect([shown[0], shown.at(-1)]).toEqual([output(0), output(1_999)]);
    const [, ref = ''] = /recall (e\d+ to e\d+)/.exec(marks[0] ?? '') ?? [];
    const told = session.recall.read(ref).text.split('\n');
    const hidden = parts.map(partText).filter((one) => !shown.includes(one));
    expect(told).toEqual(hidden);
  });

  it('is cut further ever again, and marks still name every text that is not shown', async () => {
    const session = createSession({ window: 8_000 });
    session.append(user(parts));
    await session.view();
    for (const window of [6_000, 4_000, 2_000, 1_000, 300]) {
      const { messages, fits } = await session.switchTo({ window });
      expect(fits).toBe(true);
      const shown = messages.flatMap((message) => message.parts.map(partText));
      const refs = shown.flatMap((one) => /e\d+ to e\d+|(?<=\[…)e\d+(?=…\])/.exec(one)?.[0] ?? []);
      const told = new Set([...shown, ...refs.flatMap((ref) => session.recall.read(ref).text.split('\n'))]);
      expect(parts.map(partText).filter((one) => !told.has(one))).toEqual([]);
    }
  });
});
