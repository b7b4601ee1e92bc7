import { fastOrDeep } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  CompactionError,
  call,
  check,
  createSession,
  type JournalRecord,
  parseRecord,
  repair,
  result,
  results,
  type Session,
  text,
  user,
} from '../../src/index.ts';

const circle: Record<string, unknown> = {};
circle.self = circle;
const wide: unknown[] = [];
for (let i = 0, last: unknown = 'x'; i < 40; i++) last = wide[0] = [last, last, wide];
const throwing = Object.defineProperty({}, 'secret', {
  enumerable: true,
  get: () => {
    throw new Error('not yours');
  },
});
const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
};

/** What JSON cannot hold, or not as it is. */
const noJson: readonly unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  10n,
  Symbol('s'),
  () => 1,
  circle,
  wide,
  new Map([['a', 1]]),
  new Set([1]),
  new Uint8Array(3),
  Promise.resolve(1),
  /x/,
  new Error('x'),
  [undefined],
  // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
  [1, , 3],
  throwing,
  deep(2_000),
  { toJSON: () => 1n },
  new Date(Number.NaN).getTime(),
  'x'.repeat(2 ** 26 + 1),
];

const image = { type: 'media', kind: 'image', mediaType: 'image/png' };

/** Parts that are none, by the role of a message that might hold them. */
const noParts: readonly (readonly ['user' | 'assistant', unknown])[] = [
  ...[null, undefined, 'text', 5, [], () => 1, {}].map((part) => ['user', part] as const),
  ...['image', 'toString', '__proto__', 5].map((type) => ['user', { type, text: 'x' }] as const),
  ...[undefined, null, 5, ['x'], {}].flatMap((value) => [
    ['user', { type: 'text', text: value }] as const,
    ['assistant', { type: 'reasoning', text: value }] as const,
    ['assistant', { type: 'call', callId: value, tool: 'bash', input: {} }] as const,
    ['assistant', { type: 'call', callId: 'c', tool: value, input: {} }] as const,
    ['user', { type: 'result', callId: value, content: [] }] as const,
    ['user', { ...image, kind: value, data: 'AAAA' }] as const,
    ['user', { ...image, mediaType: value, data: 'AAAA' }] as const,
    ['user', { type: 'native', wire: value, block: {} }] as const,
  ]),
  ...[undefined, null, 'text', 5, { 0: text('x') }, [null], [{ type: 'text' }], [{ type: 'image' }], [5]].map(
    (content) => ['user', { type: 'result', callId: 'open', content }] as const,
  ),
  ['assistant', { type: 'call', callId: 'c', tool: 'bash' }],
  ['user', { type: 'native', wire: 'x' }],
];

/** Parts that are wrong by the way: thrown back, or let in without what is wrong. */
const badFields: readonly (readonly ['user' | 'assistant', unknown])[] = [
  ['assistant', { type: 'reasoning', text: 'x', signature: 5 }],
  ['assistant', { type: 'call', callId: 'c', tool: 'bash', input: {}, signature: {} }],
  ['user', { type: 'result', callId: 'open', content: [], isError: 'yes' }],
  ['user', { type: 'result', callId: 'open', content: [call('x', 'bash')] }],
  ['user', image],
  ['user', { ...image, data: 5 }],
  ['user', { ...image, data: 'AAAA', width: '5' }],
  ['user', { ...image, kind: 'hologram', data: 'AAAA' }],
];

function keepJournal() {
  const records: JournalRecord[] = [];
  const append = async (more: readonly JournalRecord[]) => {
    for (const record of more) records.push(parseRecord(JSON.parse(JSON.stringify(record))));
  };
  return { records, journal: { append, close: async () => {} } };
}

const open = (session: Session): Session => {
  session.append(user('one'));
  session.append(assistant([call('open', 'bash', {})]));
  return session;
};

/** A refused append leaves no trace: not in the transcript, the numbering, the pairing, the view, nor the journal. */
async function expectUntouched(broken: 'refuse' | 'mend', attack: (session: Session) => void): Promise<void> {
  const [mine, theirs] = [keepJournal(), keepJournal()];
  const session = open(createSession({ window: 4_000, broken, journal: mine.journal }));
  const other = open(createSession({ window: 4_000, broken, journal: theirs.journal }));
  attack(session);
  for (const one of [session, other]) {
    one.append(results([result('open', 'done')]));
    one.append(user('two'));
  }
  expect(session.transcript()).toEqual(other.transcript());
  expect(session.status()).toEqual(other.status());
  expect((await session.view()).messages).toEqual((await other.view()).messages);
  expect(mine.records).toEqual(theirs.records);
}

const refuses =
  (message: unknown, code: unknown = expect.any(String)) =>
  (session: Session): void => {
    try {
      session.append(message as never);
    } catch (error) {
      expect(error).toBeInstanceOf(CompactionError);
      expect(error).toMatchObject({ code, messageId: expect.any(String) });
      return;
    }
    expect.unreachable('it was let in');
  };

describe.each(['refuse', 'mend'] as const)(
  'a message that is none is thrown back and leaves no trace (%s)',
  (broken) => {
    it.each(noParts)('%s: %j', async (role, part) => {
      await expectUntouched(broken, refuses({ role, parts: [text('before'), part], id: 'bad' }));
      expect(() => (broken === 'mend' ? repair : check)([{ role, parts: [part] } as never])).toThrow(CompactionError);
    });

    it.each([
      undefined,
      null,
      5,
      'hello',
      [],
      {},
      { role: 'user' },
      { parts: [text('x')] },
      { role: 5, parts: [text('x')] },
    ])('as a message: %j', (message) => expectUntouched(broken, refuses(message)));

    it('where it holds what JSON cannot, at any place', async () => {
      for (const value of noJson)
        for (const message of [
          { role: 'assistant', parts: [{ type: 'call', callId: 'c', tool: 'bash', input: value }] },
          { role: 'assistant', parts: [{ type: 'call', callId: 'c', tool: 'bash', input: { a: [{ b: value }] } }] },
          { role: 'user', parts: [{ type: 'text', text: 'hello', native: { x: { cost: value } } }] },
          { role: 'user', parts: [{ type: 'native', wire: 'w', block: [value] }] },
          { role: 'user', parts: [{ type: 'result', callId: 'open', content: [text('x')], native: { value } }] },
          { role: 'user', parts: [text('x')], mine: value },
        ])
          await expectUntouched(broken, refuses(message, 'not-json'));
    });

    it('where its own fields cannot be read', () =>
      expectUntouched(broken, refuses(Object.assign(throwing, { role: 'user', parts: [text('x')] }), 'not-json')));

    it('where the host’s own counter throws', async () => {
      let isBroken = false;
      const count = (): number => {
        if (isBroken) throw new Error('no counter');
        return 10;
      };
      const session = open(createSession({ window: 4_000, broken, count }));
      isBroken = true;
      expect(() => session.append(results([result('open', 'done')]))).toThrow('no counter');
      isBroken = false;
      expect(session.append(results([result('open', 'done')]))).toBe('m3');
      expect((await session.view()).messages).toHaveLength(3);
    });
  },
);

describe('a message that is wrong by the way', () => {
  it.each(badFields)('is thrown back: %s: %j', (role, part) =>
    expectUntouched('refuse', refuses({ role, parts: [part], id: 'bad' })),
  );

  it.each([
    ['at', 'yesterday'],
    ['at', null],
    ['origin', 'system'],
    ['origin', 5],
    ['standsFor', 'm1'],
    ['id', ''],
  ])('is thrown back: %s = %j', (key, value) =>
    expectUntouched('refuse', refuses({ role: 'user', parts: [text('x')], [key]: value }, 'malformed')),
  );

  it('is let in without it where histories are mended, and told', async () => {
    for (const [role, part] of badFields) {
      const told: string[] = [];
      const on = (event: { type: string }) => void told.push(event.type);
      const { records, journal } = keepJournal();
      const session = createSession({ window: 4_000, broken: 'mend', journal, on });
      session.append(assistant([call('open', 'bash', {})]));
      session.append({ role, parts: [text('said'), part] } as never);
      expect(told).toContain('history-mended');
      const { messages } = await session.view();
      expect(JSON.stringify(messages)).toContain('said');
      const again = createSession({ window: 4_000, records });
      expect(again.transcript()).toEqual(session.transcript());
    }
  });
});

describe('what append lets in, a store reads back equal', () => {
  const value = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('__proto__', 'toJSON', 'a', '\ud83d'), fc.jsonValue()),
    fc.double(),
    fc.string({ unit: 'binary' }),
  );
  const message = fc.oneof(
    value.map((input) => assistant([call('c', 'bash', input as never)])),
    value.map((block) => user([{ type: 'native', wire: 'w', block: block as never }])),
    value.map((native) => user([{ ...text('x'), native: native as never }])),
    fc.tuple(value, value).map(([extra, at]) => ({ ...user('x'), extra, at: at as never })),
    fc.string({ unit: 'binary' }).map((words) => user(`.${words}`)),
  );

  it('whatever it is', async () => {
    let let_in = 0;
    await fc.assert(
      fc.asyncProperty(message, fc.constantFrom('refuse' as const, 'mend' as const), async (given, broken) => {
        const { records, journal } = keepJournal();
        const session = createSession({ window: 100_000, broken, journal });
        try {
          session.append(given);
          let_in++;
        } catch (error) {
          expect(error).toBeInstanceOf(CompactionError);
          expect(session.transcript()).toEqual([]);
          return;
        }
        const [kept] = session.transcript();
        expect(JSON.parse(JSON.stringify(kept))).toStrictEqual(kept);
        const { messages } = await session.view();
        const again = createSession({ window: 100_000, records });
        expect(again.transcript()).toStrictEqual(session.transcript());
        expect((await again.view()).messages).toStrictEqual(messages);
      }),
      { numRuns: fastOrDeep(400, 5_000) },
    );
    expect(let_in).toBeGreaterThan(100);
  });

  it('dates and their like are held as JSON would write them; negative zero is zero', () => {
    const session = createSession({ window: 4_000 });
    session.append(assistant([call('c', 'bash', { when: new Date(0), zero: -0, gone: undefined } as never)]));
    expect(session.transcript()[0]!.parts[0]).toStrictEqual(
      call('c', 'bash', { when: '1970-01-01T00:00:00.000Z', zero: 0 }),
    );
  });

  it('a report of usage that is none does not stop the journal', async () => {
    const { records, journal } = keepJournal();
    const session = createSession({ window: 4_000, journal });
    session.append(user('x'));
    await session.view();
    for (const usage of [
      { input: 5n },
      { input: Number.NaN, output: Number.POSITIVE_INFINITY },
      null,
      { input: 9, x: circle },
    ])
      session.observe(usage as never);
    await session.view();
    expect(records.filter((one) => one.type === 'entry' && one.entry.type === 'usage')).toHaveLength(4);
  });
});
