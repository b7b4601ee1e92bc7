import { describe, expect, it } from 'vitest';
import {
  assistant,
  type Budget,
  budget,
  call,
  dropOldestRounds,
  type FoldEdit,
  type InsertEdit,
  type Layer,
  type Message,
  type NewMessage,
  result,
  results,
  summarizeHistory,
  text,
  user,
} from '../../src/index.ts';
import { floor, rounds, texts } from '../support/floor.ts';
import { folding } from '../support/summaries.ts';
import {
  budgetOf,
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

  it('what the user typed stays where it stands: between rounds, inside them, and beside results', () => {
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
    expect(idsOf(made.view)).toEqual(['u', 'palimpsest/e2', 'w', 'm', 'b', 'a-1', 'r-1']);
    expect(texts(made.view).slice(1, 5)).toEqual([
      '[3 messages hidden; recall e2 to e3]',
      'mind the gap',
      'typed meanwhile',
      'and never push',
    ]);
    // The result goes with its call, and the text beside it stays in its own message.
    expect(editsOf(made)[0]).toMatchObject({ type: 'drop', message: 'b' });
    expect(made.view[4]).toMatchObject({ id: 'b', origin: 'human', parts: [text('and never push')] });
  });

  it('of the blocks that a client writes again and again the newest stays; answers of the model go', () => {
    const todo = (id: string, of = 'todo list') => ({
      ...user(`${of}\n${'item '.repeat(60)}`, id),
      origin: 'harness' as const,
    });
    const history = [
      user('task', 'u'),
      assistant('answer '.repeat(60), 'a'),
      todo('h1'),
      todo('p1', 'plan'),
      assistant('answer '.repeat(60), 'b'),
      todo('h2'),
      user('now?', 'n'),
    ];
    expect(idsOf(floor(history, 800).view)).toEqual(['u', 'palimpsest/e1', 'p1', 'h2', 'n']);
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

  it('a notice is weighed against what it saves, of which text that stays is no part', () => {
    const history = [
      user('task', 'u'),
      assistant([call('x', 'bash')], 'c'),
      user('w'.repeat(100), 'm'),
      results([result('x', 'y'.repeat(20))], 'r'),
      user('now?', 'n'),
    ];
    expect(texts(floor(history, 120).view)).toEqual(['task', '[…e1 to e2…]', 'w'.repeat(100), 'now?']);
    expect(editsOf(floor(history, 120))[0]).not.toHaveProperty('summary');
  });

  it('text beside a block nobody knows stays with it', () => {
    const native = { type: 'native', wire: 'w', block: { a: 'b'.repeat(500) } } as const;
    const history = [user('task', 'u'), ...rounds(0, 1), user([native, text('mind this')], 'b'), ...rounds(1, 2)];
    const made = floor(history, 1_200);
    expect(idsOf(made.view)).toEqual(['u', 'palimpsest/e1', 'b', 'a-1', 'r-1']);
    expect(made.view[2]!.parts).toEqual([native, text('mind this')]);
  });

  it('a view whose beginning goes without a notice does not begin with the model', () => {
    const history = [assistant('abcde', 'a'), assistant('y'.repeat(500), 'b'), user('now?', 'n')];
    // Without the first alone it would fit, but the notice is longer than what it stands for.
    expect(idsOf(floor(history, 504).view)).toEqual(['palimpsest/e1', 'n']);
    const kept = [assistant('a pinned answer', 'p'), ...rounds(0, 2), user('now?', 'n')];
    const made = floor(kept, 100, { ledger: decided({ pins: ['p'] }) });
    expect(texts(made.view)).toEqual(['a pinned answer', '[4 messages hidden; recall e1]', 'now?']);
  });

  it('the newest keeps all the room that older words leave, also words inside rounds that went', () => {
    const [first, second] = [user('w'.repeat(100), 'u'), user('v'.repeat(100), 'v')];
    const cut = (history: readonly NewMessage[]) => texts(floor(history, 1_000).view).at(-1)!.length;
    expect(cut([first, second, ...rounds(0, 1, 5_000)])).toBeGreaterThan(700);
    // Two characters a token: 400 are 200.
    const count = (message: Message): number => Math.ceil(countChars(message) / 2);
    const typed = [
      user('task', 'u'),
      assistant([call('x', 'bash')], 'c'),
      user('w'.repeat(400), 'm'),
      results([result('x', 'y'.repeat(1_200))], 'r'),
      ...rounds(0, 1, 10_000),
    ];
    expect(texts(floor(typed, 1_000, { count }).view).at(-1)!.length).toBeGreaterThan(1_400);
  });

  it('pinned words that are the newest of all outlive older ones', () => {
    const history = [
      user('older words of the user, '.repeat(4), 'w'),
      user('the newest words, pinned', 'p'),
      ...rounds(0, 1),
    ];
    const ids = idsOf(floor(history, 30, { ledger: decided({ pins: ['p'] }) }).view);
    expect(ids).toContain('p');
    expect(ids).not.toContain('w');
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
    // Their quarter of the window is large enough for all.
    const made = floor(history, 1_500, {}, { effective: 40_000 });
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

describe('drop-oldest-rounds: what was put behind a message', () => {
  it('goes before the words that it stands behind, though they are pinned and the newest', () => {
    const carried: InsertEdit = {
      type: 'insert',
      ref: 'e1',
      after: 'u2',
      messages: [{ id: 'i', role: 'user', origin: 'palimpsest', parts: [text('F'.repeat(3_000))] }],
    };
    const history = [user('Never touch the vault.', 'u1'), ...rounds(0, 2), user('And now the rest.', 'u2')];
    const longer = [...history.slice(0, -1), assistant('x'.repeat(4_000), 'a'), history.at(-1)!];
    const fold: FoldEdit = {
      type: 'fold',
      ref: 'e2',
      from: 'a',
      to: 'a',
      hides: { messages: 1, bytes: 1 },
      messages: [],
    };
    const { ledger } = walkWith(longer, [{ name: 'mine', decide: () => ({ edits: [carried, fold] }) }], inChars);
    const pinned = { ...ledger, entries: [...ledger.entries, { type: 'pin', message: 'u2' } as const] };
    for (const known of [ledger, pinned]) {
      const made = floor(longer, 400, { ledger: known });
      expect(textOf(made.view)).toContain('Never touch the vault.');
      expect(textOf(made.view)).toContain('And now the rest.');
      expect(textOf(made.view)).not.toContain('FFFF');
    }
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
  /** Of a preset that folds what users type: the summary quotes it. */
  const summarize = () =>
    walkWith(history, [folding(summarizeHistory({ attach: false }))], {
      ...inChars,
      budget: pressedTo(3_000, { effective: 10_000 }),
    });

  it('a summary larger than a third of the room gives way to a digest that is not', () => {
    const summarized = summarize();
    const target = Math.floor(textOf([summarized.view[1]!]).length * 0.9);
    const made = floor(history, target, { ledger: summarized.ledger });
    const brief = made.view.find((message) => textOf([message]).includes('older messages in short'))!;
    expect(textOf([brief]).length).toBeLessThanOrEqual(target / 3);
    expect(textOf([brief])).toContain('recall e1 reads them in full');
    expect(textOf([brief])).toContain('src/: file-');
    expect(textOf([made.view[0]!])).toBe('Never touch the vault, whatever happens.');
    expect(textOf(made.view)).toContain('Please keep rule number 19 in mind.');
    const marks = editsOf(made).flatMap((edit) => (edit.type === 'fold' && edit.summary ? [edit.summary] : []));
    expect(marks).toHaveLength(2);
    expect(marks[1]).toEqual(marks[0]);
  });

  it('where no digest fits it goes whole, and the first and the newest text stay', () => {
    const none = floor(history, 230, { ledger: summarize().ledger });
    expect(textOf(none.view)).not.toContain('in short');
    expect(textOf(none.view)).toContain('Never touch the vault, whatever happens.');
    expect(textOf(none.view)).toContain('Please keep rule number 19 in mind.');
    const made = floor(history, 110, { ledger: summarize().ledger });
    expect(textOf(made.view)).toContain('Please keep rule number 19 in mind.');
    // What hides it tells nothing of it any more.
    for (const edit of entriesOf(made).at(-1)!.edits) expect(edit).not.toHaveProperty('summary');
  });

  it('one that is small enough stays as it is, though words are cut', () => {
    const summary: FoldEdit = {
      type: 'fold',
      ref: 'e1',
      from: 'u',
      to: 'r-0',
      hides: { messages: 3, bytes: 1 },
      messages: [{ id: 's', role: 'user', origin: 'palimpsest', parts: [text('S'.repeat(300))] }],
      summary: { of: 'history', by: 'digest' },
    };
    const long = [user('task', 'u'), ...rounds(0, 1), user('words '.repeat(500), 'w'), ...rounds(1, 2)];
    const { ledger } = walkWith(long, [{ name: 'mine', decide: () => ({ edits: [summary] }) }], inChars);
    const made = floor(long, 1_200, { ledger });
    expect(texts(made.view)[0]).toBe('S'.repeat(300));
    expect(texts(made.view)[1]).toContain('[…e');
  });

  it('it outlives plain rounds', () => {
    const grown = [...history, ...rounds(30, 36), user('now?', 'n')];
    const summarized = summarize();
    const before = walkWith(grown, [], { ...inChars, ledger: summarized.ledger });
    const made = floor(grown, before.tokens - 1_200, { ledger: summarized.ledger });
    expect(made.view[1]).toEqual(summarized.view[1]);
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
