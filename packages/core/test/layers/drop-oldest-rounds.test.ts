import { describe, expect, it } from 'vitest';
import {
  assistant,
  type Budget,
  budget,
  call,
  dropOldestRounds,
  type Entry,
  type FoldEdit,
  type Layer,
  type Message,
  type NewMessage,
  partText,
  reasoning,
  result,
  results,
  summarizeHistory,
  text,
  user,
} from '../../src/index.ts';
import {
  budgetOf,
  type Circumstances,
  countChars,
  decided,
  editsOf,
  entriesOf,
  idsOf,
  inChars,
  layersIn,
  picture,
  pressedTo,
  round,
  walkWith,
} from '../support/walks.ts';
import { textOf } from '../texts.ts';

/** A round of 515 characters, which count as tokens here. */
const rounds = (from: number, to: number, chars = 500): readonly NewMessage[] =>
  Array.from({ length: to - from }, (_, i) => round(`${from + i}`, 'bash', { command: 'x' }, 'y'.repeat(chars))).flat();
const floor = (
  history: readonly NewMessage[],
  target: number,
  told: Circumstances = {},
  figures: Partial<Budget> = {},
  layers: readonly Layer[] = [],
) =>
  walkWith(history, [...layers, dropOldestRounds()], {
    ...inChars,
    budget: pressedTo(target, { effective: 10_000, ...figures }),
    ...told,
  });
const texts = (view: readonly Message[]): readonly string[] =>
  view.map((message) => message.parts.map(partText).join('|'));

describe('drop-oldest-rounds: when the floor acts', () => {
  const history: NewMessage[] = [user('Never touch the vault.')];
  for (let i = 0; i < 30; i++) {
    history.push(...round(`c${i}`, 'mcp__lab__measure', { sample: i }, `reading ${i}: ${'stable '.repeat(60)}`));
    history.push(assistant(`Reading ${i} is in.`), user(`and the next, ${i}?`));
  }
  const sizeOfAll = (): number => walkWith(history, []).tokens;
  const walked = (target: number, trigger: number) => {
    const whole = sizeOfAll();
    return walkWith(history, [summarizeHistory(), dropOldestRounds()], {
      budget: { ...budget({ window: whole * 2 }), effective: whole, target, trigger },
    });
  };

  it('hides no round without a word where a summary missed the target but left the view far below the trigger', () => {
    const target = 100;
    const whole = sizeOfAll();
    const made = walked(target, whole - 1);
    expect(layersIn(made)).toEqual(['summarize-history']);
    expect(made.tokens).toBeGreaterThan(target);
    expect(made.tokens).toBeLessThan((target + whole) / 2);
  });

  it('acts where the view would be at the trigger again at once', () => {
    const made = walked(100, 110);
    expect(layersIn(made)).toContain('drop-oldest-rounds');
    expect(made.tokens).toBeLessThanOrEqual(100);
  });

  it('half of the way from target to trigger is near enough, or what the budget says', () => {
    const messages = [user('task'), ...rounds(0, 6), user('now?')];
    const tokens = 6 * 515 + 8;
    // A layer before it takes one round's worth away, so that the view is pressed and below the trigger.
    const shrinking: Layer = {
      name: 'mine',
      decide: (look) => ({
        edits: [{ type: 'replace', ref: look.ref(0), message: 'r-0', part: 0, excerpt: [''] }],
      }),
    };
    const acts = (figures: Partial<Budget>): boolean =>
      layersIn(
        walkWith(messages, [shrinking, dropOldestRounds()], {
          ...inChars,
          budget: budgetOf({ trigger: tokens, ...figures }),
        }),
      ).includes('drop-oldest-rounds');
    const left = tokens - 500;
    expect(acts({ target: 2 * left - tokens })).toBe(true);
    expect(acts({ target: 2 * left - tokens + 2 })).toBe(false);
    expect(acts({ target: 100, floorFrom: left })).toBe(true);
    expect(acts({ target: 100, floorFrom: left + 1 })).toBe(false);
  });

  it('without pressure nothing goes; a limit besides tokens is pressure enough', () => {
    const messages = [user('task'), ...rounds(0, 6), user('now?')];
    const acts = (figures: Partial<Budget>): boolean =>
      editsOf(walkWith(messages, [dropOldestRounds()], { ...inChars, budget: budgetOf(figures) })).length > 0;
    expect(acts({})).toBe(false);
    expect(acts({ limits: { bytes: 2_000 } })).toBe(true);
    expect(acts({ triggerMessages: 10, targetMessages: 8 })).toBe(true);
    expect(acts({ limits: { images: 1 } })).toBe(false);
    expect(editsOf(floor([], 1))).toEqual([]);
  });
});

describe('drop-oldest-rounds: what goes, in order', () => {
  const six = [user('task', 'u'), ...rounds(0, 6), user('now?', 'n')];

  it('the oldest rounds go first, and as few as it takes; one notice counts them', () => {
    // 3,098 tokens; without the oldest round and with a notice of 30 there are 2,613.
    expect(idsOf(floor(six, 2_613).view).slice(0, 4)).toEqual(['u', 'palimpsest/e1', 'a-1', 'r-1']);
    expect(texts(floor(six, 2_613).view)[1]).toBe('[2 messages hidden; recall e1]');
    expect(idsOf(floor(six, 2_612).view).slice(0, 4)).toEqual(['u', 'palimpsest/e1', 'a-2', 'r-2']);
    expect(texts(floor(six, 2_612).view)[1]).toBe('[4 messages hidden; recall e1]');
    expect(idsOf(floor(six, 40).view)).toEqual(['u', 'palimpsest/e1', 'n']);
    expect(entriesOf(floor(six, 40))[0]).toMatchObject({ layer: 'drop-oldest-rounds', pressed: true });
    expect(editsOf(floor(six, 40))[0]).toMatchObject({ type: 'fold', from: 'a-0', to: 'r-5', hides: { messages: 12 } });
  });

  it('the user’s words stay: between rounds, inside them, and beside results', () => {
    const history = [
      user('task', 'u'),
      ...rounds(0, 1),
      user('mind the gap', 'w'),
      assistant([call('x', 'bash', { command: 'x' })], 'c'),
      user('typed meanwhile', 'm'),
      {
        id: 'b',
        role: 'user' as const,
        origin: 'human' as const,
        parts: [result('x', 'y'.repeat(500)), text('and never push')],
      },
      ...rounds(1, 2),
    ];
    const made = floor(history, 700);
    expect(idsOf(made.view)).toEqual(['u', 'palimpsest/e1', 'w', 'm', 'b/words', 'a-1', 'r-1']);
    expect(texts(made.view).slice(1, 5)).toEqual([
      '[5 messages hidden; recall e1 to e2]',
      'mind the gap',
      'typed meanwhile',
      'and never push',
    ]);
    // The same words twice are not hidden and shown: the fold keeps them as they are.
    expect((editsOf(made)[1] as FoldEdit).messages.map((message) => message.id)).toEqual(['m', 'b/words']);
  });

  it('words of the host and answers of the model are no words of the user', () => {
    const history = [
      user('task', 'u'),
      { ...user('reminder '.repeat(60), 'h'), origin: 'harness' as const },
      assistant('answer '.repeat(60), 'a'),
      user('now?', 'n'),
    ];
    expect(idsOf(floor(history, 60).view)).toEqual(['u', 'palimpsest/e1', 'n']);
  });

  it('a notice that costs more than it saves is short, or stays away', () => {
    const notice = (answer: number): readonly string[] =>
      texts(
        floor([user('task', 'u'), assistant('y'.repeat(answer), 'a'), user('now?', 'n')], 8 + Math.min(30, answer - 1))
          .view,
      );
    expect(notice(60)).toEqual(['task', '[1 message hidden; recall e1]', 'now?']);
    expect(notice(29)).toEqual(['task', '[…e1…]', 'now?']);
    expect(notice(6)).toEqual(['task', 'now?']);
  });

  it('once the rounds are gone the newest is cut to head and tail, and keeps all the room that is left', () => {
    const made = floor([user('task', 'u'), ...rounds(0, 1, 5_000)], 1_000);
    expect(texts(made.view)[2]).toBe(`${'y'.repeat(459)}\n[… 4082 characters cut; recall e1 …]\n${'y'.repeat(459)}`);
    expect(made.tokens).toBeLessThanOrEqual(1_000);
    expect(editsOf(made)).toMatchObject([{ type: 'replace', message: 'r-0', part: 0 }]);
  });

  it('then long words are cut, each to an eighth of the room; short ones stay whole', () => {
    const history = [
      user('long words '.repeat(300), 'u'),
      ...rounds(0, 1),
      user('short words', 's'),
      user('again words '.repeat(100), 'v'),
      ...rounds(1, 2),
    ];
    const made = floor(history, 1_500);
    const [first, , short, second] = texts(made.view);
    for (const cut of [first!, second!]) {
      expect(cut.length).toBeLessThanOrEqual(1_500 / 8);
      expect(cut.length).toBeGreaterThan(1_500 / 8 - 10);
    }
    expect(short).toBe('short words');
    expect(texts(made.view).at(-1)).toBe('y'.repeat(500));
  });

  it('then words of rounds go, then other words, then summaries, then pins; the newest words stay', () => {
    const history = [
      user('pinned words that are long enough', 'p'),
      user('the first words of the user here', 'w'),
      assistant([call('x', 'bash', { command: 'x' })], 'c'),
      user('typed while the call was in flight', 'm'),
      results([result('x', 'y'.repeat(100))], 'r'),
      assistant('an answer that nobody needs', 'a'),
      user('the newest words', 'n'),
      ...rounds(0, 1, 100),
    ];
    const gone: string[] = [];
    for (let target = 400; target > 40; target -= 4) {
      const left = idsOf(floor(history, target, { ledger: decided({ pins: ['p'] }) }).view);
      for (const id of ['m', 'w', 'p', 'n']) if (!left.includes(id) && !gone.includes(id)) gone.push(id);
    }
    expect(gone.slice(0, 3)).toEqual(['m', 'w', 'p']);
  });

  it('a pin is cut or hidden only where everything else has given way, and the newest words outlive it', () => {
    const history = [user('pinned '.repeat(40), 'p'), ...rounds(0, 4), user('now?', 'n'), ...rounds(4, 5)];
    // Two characters a token: 829 with all rounds but the newest hidden.
    const count = (message: Message): number => Math.ceil(countChars(message) / 2);
    const pinned = (chars: number) => floor(history, chars / 2, { count, ledger: decided({ pins: ['p'] }) });
    expect(texts(pinned(900).view)[0]).toBe('pinned '.repeat(40));
    expect(texts(pinned(900).view).at(-1)).toBe('y'.repeat(500));
    expect(texts(pinned(600).view)[0]).toBe('pinned '.repeat(40));
    expect(texts(pinned(600).view).at(-1)).toContain('[…e1…]');
    expect(texts(pinned(300).view)[0]).toContain('[…e1…]');
    expect(texts(pinned(300).view)).toContain('now?');
  });
});

describe('drop-oldest-rounds: summaries', () => {
  const history = [
    user('Never touch the vault, whatever happens.', 'u'),
    ...Array.from({ length: 20 }, (_, i) => [
      ...round(`${i}`, 'write', { path: `src/file-${i}.ts`, content: 'x' }, 'y'.repeat(200)),
      user(`Please keep rule number ${i} in mind.`, `w${i}`),
    ]).flat(),
  ];
  const summarize = () =>
    walkWith(history, [summarizeHistory({ attach: false })], {
      ...inChars,
      budget: pressedTo(3_000, { effective: 10_000 }),
    });

  it('a summary larger than a third of the room gives way to a digest that is not, with its reference and its mark', () => {
    const summarized = summarize();
    const target = Math.floor(textOf([summarized.view[0]!]).length * 0.9);
    const made = floor(history, target, { ledger: summarized.ledger });
    const brief = made.view.find((message) => textOf([message]).includes('older messages in short'))!;
    expect(textOf([brief]).length).toBeLessThanOrEqual(target / 3);
    expect(textOf([brief])).toContain('recall e1 reads them in full');
    expect(textOf([brief])).toContain('Never touch the vault');
    const marks = editsOf(made).flatMap((edit) => (edit.type === 'fold' && edit.summary ? [edit.summary] : []));
    expect(marks).toHaveLength(2);
    expect(marks[1]).toEqual(marks[0]);
  });

  it('where no digest fits it goes whole, and the newest words stay', () => {
    const made = floor(history, 150, { ledger: summarize().ledger });
    expect(textOf(made.view)).not.toContain('in short');
    expect(textOf(made.view)).toContain('rule number 19');
  });

  it('it outlives plain rounds', () => {
    const grown = [...history, ...rounds(30, 36), user('now?', 'n')];
    const summarized = summarize();
    const before = walkWith(grown, [], { ...inChars, ledger: summarized.ledger });
    const made = floor(grown, before.tokens - 1_200, { ledger: summarized.ledger });
    expect(made.view[0]).toEqual(summarized.view[0]);
    expect(idsOf(made.view)).not.toContain('a-30');
  });
});

describe('drop-oldest-rounds: limits besides tokens', () => {
  const history = [
    user('task', 'u'),
    ...Array.from({ length: 8 }, (_, i) =>
      round(`${i}`, 'bash', { command: 'x' }, [text('y'.repeat(100)), picture(`p${i}`)]),
    ).flat(),
    user('now?', 'n'),
  ];
  const images = (view: readonly Message[]): number => (JSON.stringify(view).match(/"media"/g) ?? []).length;

  it('pictures and then rounds go until messages, images and bytes are within three quarters of their limits', () => {
    const under = (figures: Partial<Budget>) => floor(history, 1e9, {}, { ...figures, trigger: 1e9 });
    const few = under({ triggerMessages: 12, targetMessages: 9 });
    expect(few.view).toHaveLength(9);
    expect(idsOf(few.view).slice(0, 3)).toEqual(['u', 'palimpsest/e1', 'a-5']);
    expect(images(under({ limits: { images: 4 } }).view)).toBe(3);
    const bytes = under({ limits: { bytes: 10_000 } });
    // A picture is about 2,100 bytes, and gives way before any round does.
    expect(images(bytes.view)).toBe(1);
    expect(bytes.view).toHaveLength(history.length);
    expect(bytes.fits).toBe(true);
  });
});

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
