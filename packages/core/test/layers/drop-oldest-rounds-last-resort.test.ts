import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  type Entry,
  type Message,
  type NewMessage,
  partText,
  reasoning,
  result,
  results,
  text,
  user,
} from '../../src/index.ts';
import { floor, rounds, texts } from '../support/floor.ts';
import { decided, idsOf, inChars, picture, walkWith } from '../support/walks.ts';

describe('drop-oldest-rounds: the last resort', () => {
  it('where nothing else fits the newest words are left alone, cut, without a notice', () => {
    const history = [
      user('long words '.repeat(300), 'u'),
      ...rounds(0, 1),
      user('again words '.repeat(100), 'v'),
      ...rounds(1, 2),
    ];
    const made = floor(history, 20);
    expect(idsOf(made.view)).toEqual(['v']);
    expect(texts(made.view)).toEqual(['again […e1…] words ']);
  });

  it('a view that the model began gets a notice to begin with, or is cut instead', () => {
    const talk = [assistant('monologue '.repeat(100), 'a'), assistant('monologue '.repeat(100), 'b')];
    const made = floor(talk, 100);
    expect(texts(made.view)).toEqual(['[1 message hidden; recall e2]', 'monologue monolog[…e1…]ologue monologue ']);
    expect(made.view[0]!.role).toBe('user');
    const all = floor(talk, 40);
    expect(texts(all.view)).toEqual(['[2 messages hidden; recall e1]']);
    const one = floor([assistant('monologue '.repeat(100), 'a')], 40);
    expect(one.tokens).toBeLessThanOrEqual(40);
  });

  it('a call in flight stays, with the newest words where there are some; its arguments keep their shape', () => {
    const history = [
      user('task', 'u'),
      ...rounds(0, 1),
      user('more', 'v'),
      assistant([call('x', 'bash', { command: 'z'.repeat(900) })], 'c'),
    ];
    const made = floor(history, 60);
    expect(idsOf(made.view)).toEqual(['v', 'c', 'c/unanswered']);
    expect(made.view[1]!.parts).toEqual([call('x', 'bash', { command: 'zzz[…e1…]' })]);
    expect(made.tokens).toBeLessThanOrEqual(60);
    const alone = floor([assistant([call('x', 'bash', { command: 'z'.repeat(900) })], 'c')], 60);
    expect(idsOf(alone.view)).toEqual(['c', 'c/unanswered']);
  });

  it('a call in flight behind other calls is held by a notice', () => {
    const history = [
      assistant('monologue '.repeat(100), 'a'),
      assistant([call('x', 'bash', { command: 'z'.repeat(900) })], 'c'),
    ];
    const made = floor(history, 90);
    expect(made.view[0]!.role).toBe('user');
    expect(idsOf(made.view).slice(1)).toEqual(['c', 'c/unanswered']);
  });
});

describe('drop-oldest-rounds: where nothing fits at all', () => {
  const flying = assistant([call('x', 'bash', { command: 'z'.repeat(900) })], 'c');

  it('a call in flight is held by a notice that pays, or by what stands before it; alone it is cut alone', () => {
    const told = floor([assistant('monologue '.repeat(100), 'a'), flying], 5);
    expect(idsOf(told.view)).toEqual(['palimpsest/e2', 'c', 'c/unanswered']);
    const untold = floor([assistant('ab', 'a'), flying], 5);
    expect(idsOf(untold.view)).toEqual(['a', 'c', 'c/unanswered']);
    const alone = floor([flying], 5);
    expect(idsOf(alone.view)).toEqual(['c', 'c/unanswered']);
    for (const made of [told, untold, alone])
      expect(partText(made.view.find((message) => message.id === 'c')!.parts[0]!).length).toBeLessThan(40);
  });

  it('a notice takes the place of everything only where it is smaller', () => {
    const notice = '[1 message hidden; recall e1]';
    const left = (chars: number) => texts(floor([assistant('y'.repeat(chars), 'a')], 1).view);
    expect(left(notice.length + 1)).toEqual([notice]);
    expect(left(notice.length)).toEqual(['y'.repeat(notice.length)]);
    expect(left(2)).toEqual(['yy']);
  });
});

describe('cutting one message down', () => {
  it('arguments keep their keys; long strings are cut in place, other values stay; at the last a pointer is left', () => {
    const input = { command: 'z'.repeat(900), deep: ['q'.repeat(300), 3, null, { a: 'short' }] };
    const history = [user('task', 'u'), assistant([call('x', 'bash', input)], 'c')];
    expect(floor(history, 400).view[1]!.parts).toEqual([
      call('x', 'bash', {
        command: expect.stringMatching(/^z+\[…e1…\]$/),
        deep: [expect.stringMatching(/^q+\[…e1…\]$/), 3, null, { a: 'short' }],
      }),
    ]);
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`key-${i}`, `value ${i}`]));
    const pointer = floor([user('task', 'u'), assistant([call('x', 'bash', many)], 'c')], 60).view[1]!.parts[0];
    expect(pointer).toEqual(call('x', 'bash', { hidden: 'e1' }));
  });

  it('thoughts go whole, pictures leave markers, unknown blocks stay', () => {
    const history = [
      user('task', 'u'),
      assistant([reasoning('hm '.repeat(200), 'sig'), text('said '.repeat(100))], 'a'),
    ];
    const made = floor(history, 200);
    expect(made.view.at(-1)!.parts.map((part) => part.type)).toEqual(['text']);
    const shown = [user([text('look at this picture '.repeat(20)), picture('p.png')], 'u')];
    const seen = floor(shown, 150).view[0]!;
    expect(seen.parts.map((part) => part.type)).toEqual(['text', 'text']);
    expect(partText(seen.parts[1]!)).toBe('[image: p.png] (removed to save space; recall e2)');
    const native = { type: 'native', wire: 'w', block: { a: 'b'.repeat(50) } } as const;
    const foreign = [user('task', 'u'), assistant([native, text('said '.repeat(100))], 'a')];
    expect(floor(foreign, 150).view.at(-1)!.parts[0]).toEqual(native);
  });

  it('several messages of one round share the room: small ones leave theirs to the large', () => {
    const history = [
      user('task', 'u'),
      assistant([call('x', 'bash', { command: 'x' }), call('y', 'bash', { command: 'x' })], 'c'),
      results([result('x', 'tiny')], 'r1'),
      results([result('y', 'y'.repeat(3_000))], 'r2'),
    ];
    const made = floor(history, 1_000);
    expect(texts(made.view)[2]).toBe('tiny');
    expect(texts(made.view)[3]!.length).toBeGreaterThan(850);
    expect(made.tokens).toBeLessThanOrEqual(1_000);
  });
});

describe('drop-oldest-rounds, from all to nothing', () => {
  const histories: Readonly<Record<string, { messages: readonly NewMessage[]; entries?: readonly Entry[] }>> = {
    rounds: { messages: [user('task', 'u'), ...rounds(0, 4), user('now, please?', 'n'), ...rounds(4, 5)] },
    words: {
      messages: [
        user('first words of the user '.repeat(20), 'u'),
        ...rounds(0, 2),
        user('second words of the user '.repeat(10), 'v'),
        assistant('an answer '.repeat(30), 'a'),
        user('third words, and short', 'w'),
        assistant([reasoning('thinking '.repeat(20)), text('another answer '.repeat(30))], 'b'),
      ],
    },
    pins: {
      messages: [
        user('pinned words of the user '.repeat(10), 'p'),
        ...rounds(0, 2),
        user('second words of the user '.repeat(10), 'v'),
        ...rounds(2, 3),
      ],
      entries: [
        { type: 'pin', message: 'p' },
        { type: 'pin', message: 'r-1' },
      ],
    },
    flying: {
      messages: [
        user([text('look at these '.repeat(10)), picture('a.png')], 'u'),
        ...rounds(0, 2),
        user('go on', 'v'),
        assistant(
          [
            call('x', 'bash', { command: 'z'.repeat(200) }),
            call('y', 'write', { path: 'a', content: 'q'.repeat(300) }),
          ],
          'c',
        ),
        results([result('x', 'y'.repeat(300))], 'r'),
      ],
    },
  };
  const told = (message: Message): string =>
    `${message.id}(${message.parts.map((part) => `${part.type} ${partText(part).length}`).join(', ')})`;

  it('does to fixed histories what it did before (golden)', async () => {
    const lines: string[] = [];
    for (const [name, { messages, entries = [] }] of Object.entries(histories)) {
      const whole = walkWith(messages, [], inChars).tokens;
      for (let target = whole - 1; target > 10; target = Math.floor(target * 0.85)) {
        const made = floor(messages, target, { ledger: decided({ entries }) });
        lines.push(`${name} ${target}: ${made.tokens} ${made.view.map(told).join(' ')}`);
      }
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../goldens/floor.txt');
  });
});
