import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  InvariantError,
  type JournalRecord,
  type Message,
  result,
  results,
  type Session,
  user,
  violationOf,
} from '../../src/index.ts';

const words = 'alpha beta gamma delta '.repeat(40);

function talk(session: Session, turns: number): void {
  for (let i = 0; i < turns; i++) {
    session.append(user(`${i} ${words}`));
    session.append(assistant(`${i} ${words}`));
  }
}

/** All references that stand in receipts read what they hid, and the view is valid. */
async function expectSound(session: Session): Promise<readonly Message[]> {
  const { messages } = await session.view();
  expect(violationOf(messages)).toBeUndefined();
  for (const { refs } of session.receipts().flatMap(({ lines }) => lines))
    for (const ref of refs) expect(session.recall.read(ref).messages.map(({ id }) => id)).not.toContain(ref);
  for (const { id } of session.transcript())
    expect(session.recall.read(id).messages.map((message) => message.id)).toEqual([id]);
  return messages;
}

describe('any ids that a host brings work, or are thrown back with a typed error', () => {
  it('a fork goes on from the view of another session, whatever was made in it', async () => {
    const first = createSession({ window: 4_000 });
    talk(first, 12);
    const fork = createSession({ window: 4_000 });
    for (const message of (await first.view()).messages) fork.append(message);
    fork.pin(fork.transcript()[0]!.id);
    for (let turn = 0; turn < 20; turn++) {
      talk(fork, 1);
      await expectSound(fork);
      if (turn % 5 === 4) await fork.compact();
    }
    const again = createSession({ window: 4_000 });
    for (const message of await expectSound(fork)) again.append(message);
    talk(again, 12);
    await expectSound(again);
  });

  const forms = ['e1', 'e2', 'palimpsest/e1', 'palimpsest/e3', 'palimpsest/request', 'm3', 'm2/words', 'm2/unanswered'];
  const odd = [
    '__proto__',
    'constructor',
    'e1 to e2',
    'e9007199254740993',
    'e01',
    'E1',
    'a:b',
    ' x ',
    'x'.repeat(9_000),
  ];

  it.each([...forms, ...odd])('appended first: %s', async (id) => {
    const session = createSession({ window: 4_000 });
    session.append(user('I have a name.', id));
    session.append(assistant([call('c', 'bash', { command: words })]));
    session.append(results([result('c', words)]));
    talk(session, 30);
    await expectSound(session);
    await session.compact();
    await expectSound(session);
    expect(session.recall.read(id).text).toContain('I have a name.');
  });

  it.each([...forms, ...odd])('appended once edits stand: %s', async (id) => {
    const records: JournalRecord[] = [];
    const journal = {
      append: async (more: readonly JournalRecord[]) => void records.push(...more),
      close: async () => {},
    };
    const session = createSession({ window: 4_000, journal });
    talk(session, 20);
    await session.view();
    const before = JSON.stringify(session.transcript());
    let refused: unknown;
    try {
      session.append(user('I have a name.', id));
    } catch (error) {
      refused = error;
    }
    if (refused !== undefined) {
      expect(refused).toMatchObject({ name: 'CompactionError', code: 'duplicate-id', messageId: id });
      expect(JSON.stringify(session.transcript())).toBe(before);
    }
    for (let i = 0; i < 5; i++) {
      talk(session, 4);
      await expectSound(session);
    }
    const { messages } = await session.view();
    const again = createSession({ window: 4_000, records: JSON.parse(JSON.stringify(records)) });
    expect(JSON.stringify((await again.view()).messages)).toBe(JSON.stringify(messages));
  });

  it('where histories are mended, a name that is taken is changed, and told', async () => {
    const mended: string[] = [];
    const session = createSession({
      window: 4_000,
      broken: 'mend',
      on: (event) => event.type === 'history-mended' && mended.push(...event.problems.map(({ code }) => code)),
    });
    talk(session, 20);
    await session.view();
    const made = session.append(user('I have a name.', 'e1'));
    expect(made).toBe('e1~2');
    expect(mended).toEqual(['duplicate-id']);
    talk(session, 10);
    await expectSound(session);
  });

  it('a call that is closed, and the words of a round, do not take a name that is a host’s', async () => {
    const session = createSession({ window: 3_000, broken: 'mend' });
    session.append(assistant([call('c', 'bash', {})], 'a'));
    session.append(user('mine', 'a/unanswered'));
    session.append(assistant('moving on'));
    await expectSound(session);
    session.append(user('mine too', 'r/words'));
    session.append(assistant([call('d', 'bash', {})]));
    session.append({
      ...results([result('d', words)], 'r'),
      origin: 'human',
      parts: [result('d', words), ...user(words).parts],
    });
    for (let i = 0; i < 12; i++) {
      talk(session, 2);
      await expectSound(session);
    }
    expect(session.recall.read('a/unanswered').text).toContain('mine');
    expect(session.recall.read('r/words').text).toContain('mine too');
  });

  it('one id ten thousand times is renamed in time that grows with their number', () => {
    const time = (count: number): number => {
      const session = createSession({ window: 1_000_000, broken: 'mend' });
      // Of the processor: what else runs on the machine does not count.
      const start = process.cpuUsage();
      for (let i = 0; i < count; i++) session.append(user('x', 'same'));
      expect(session.transcript().at(-1)!.id).toBe(`same~${count}`);
      return process.cpuUsage(start).user / 1_000;
    };
    const timeLeast = (count: number): number => Math.min(time(count), time(count), time(count));
    // Eight times as many; by squares it would be 64.
    expect(timeLeast(8_000)).toBeLessThan(24 * Math.max(5, timeLeast(1_000)));
  });

  it('an id that is empty or no string is thrown back', () => {
    const session = createSession({ window: 4_000 });
    for (const id of ['', 5, null, {}])
      expect(() => session.append(user('x', id as string))).toThrow(expect.objectContaining({ code: 'malformed' }));
    expect(session.transcript()).toEqual([]);
  });

  it('a stored session in which a name was taken twice still loads, and goes on', async () => {
    const records: JournalRecord[] = [];
    const journal = {
      append: async (more: readonly JournalRecord[]) => void records.push(...more),
      close: async () => {},
    };
    const session = createSession({ window: 4_000, journal });
    talk(session, 20);
    await session.view();
    const old = {
      v: 1,
      type: 'message',
      message: { id: 'e1', role: 'user', origin: 'human', parts: user('old').parts },
    } as const;
    const again = createSession({ window: 4_000, records: [...records, old] });
    expect(again.transcript().at(-1)!.id).toBe('e1');
    expect(again.recall.read('e1').text).toBe(session.recall.read('e1').text);
    talk(again, 20);
    await expect(again.view()).resolves.not.toBeInstanceOf(InvariantError);
  });
});
