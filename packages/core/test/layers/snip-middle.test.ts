import { describe, expect, it } from 'vitest';
import { assistant, call, type NewMessage, result, results, snipMiddle, user } from '../../src/index.ts';
import { folding } from '../support/summaries.ts';
import { budgetOf, decided, editsOf, entriesOf, idsOf, inChars, walkWith } from '../support/walks.ts';
import { textOf } from '../texts.ts';

/** `m0` … in turn from the user, always the same 60 characters, and from the model, 200. */
const talk = (n: number): readonly NewMessage[] =>
  Array.from({ length: n }, (_, i) =>
    i % 2 === 0 ? user('q'.repeat(60), `m${i}`) : assistant('a'.repeat(200), `m${i}`),
  );
const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, i) => `m${from + i}`);

describe('snip-middle: the middle of a very long list goes as one', () => {
  it('over 50 messages the first 3 and the last 47 stay, with one notice that counts; not inside a subagent', () => {
    const history = Array.from({ length: 80 }, (_, i) =>
      i % 2 === 0 ? user(`question ${i}`) : assistant(`answer ${i}`),
    );
    const { view } = walkWith(history, [folding(snipMiddle())]);
    expect(view).toHaveLength(51);
    expect(textOf([view[3]!])).toContain('30 earlier messages');
    expect(view.slice(0, 3)).toEqual(walkWith(history, []).view.slice(0, 3));
    expect(view.slice(4)).toEqual(walkWith(history, []).view.slice(-47));
    expect(walkWith(history, [folding(snipMiddle())], { subagent: true }).view).toHaveLength(80);
    expect(walkWith(history.slice(0, 50), [folding(snipMiddle())]).view).toHaveLength(50);
  });

  it('the notice tells how many, where they are, and what it stands for', () => {
    const made = walkWith(talk(12), [folding(snipMiddle({ keepFirst: 2, keepLast: 4 }))], inChars);
    expect(idsOf(made.view)).toEqual(['m0', 'm1', 'palimpsest/e1', ...ids(8, 12)]);
    expect(made.view[2]).toEqual({
      id: 'palimpsest/e1',
      role: 'user',
      origin: 'palimpsest',
      parts: [{ type: 'text', text: '[6 earlier messages are hidden here; recall e1]' }],
      standsFor: { from: 'm2', to: 'm7' },
    });
    expect(editsOf(made)[0]).toMatchObject({ type: 'fold', from: 'm2', to: 'm7', hides: { messages: 6 } });
    expect(entriesOf(made)[0]).toMatchObject({ layer: 'snip-middle', pressed: false });
  });

  it('what the user typed there stays where it stands, between the notices of what was hidden around it', () => {
    const words = 'keep the old column names, whatever the new ones are';
    const work = (id: string, n: number): readonly NewMessage[] =>
      Array.from({ length: n }, (_, i) => assistant('a'.repeat(200), `${id}${i}`));
    const history = [user('first', 'u'), ...work('a', 4), user(words, 'w'), ...work('b', 8)];
    const made = walkWith(history, [snipMiddle({ keepFirst: 2, keepLast: 4 })], inChars);
    expect(idsOf(made.view)).toEqual(['u', 'a0', 'palimpsest/e1', 'w', 'palimpsest/e2', 'b4', 'b5', 'b6', 'b7']);
    expect(textOf([made.view[3]!])).toBe(words);
    expect(textOf([made.view[2]!])).toBe('[3 earlier messages are hidden here; recall e1]');
    expect(textOf([made.view[4]!])).toBe('[4 earlier messages are hidden here; recall e2]');
  });

  it('a result goes with its call, also where the user typed between them', () => {
    const history = [
      ...talk(4),
      assistant([call('c', 'bash')], 'c'),
      user('wait, not the blue one', 'w'),
      results([result('c', 'ok')], 'r'),
      ...talk(8).map((message) => ({ ...message, id: `n${message.id}` })),
    ];
    const { view } = walkWith(history, [snipMiddle({ keepFirst: 2, keepLast: 4 })], inChars);
    expect(idsOf(view)).toContain('w');
    expect(idsOf(view)).not.toContain('c');
    expect(idsOf(view)).not.toContain('r');
  });

  it('between what the user typed a single message is left alone: a notice would make the list no shorter', () => {
    const layer = snipMiddle({ keepFirst: 2, keepLast: 4 });
    expect(editsOf(walkWith(talk(30), [layer], inChars))).toEqual([]);
    const limits = { ...inChars, budget: budgetOf({ triggerMessages: 20, targetMessages: 10 }) };
    expect(editsOf(walkWith(talk(30), [snipMiddle({ when: 'limit' })], limits))).toEqual([]);
  });

  it('its own notice does not count, and what it hid is hidden again together with what comes to it', () => {
    const layer = folding(snipMiddle({ keepFirst: 2, keepLast: 4 }));
    const first = walkWith(talk(7), [layer], inChars);
    // One message alone is no middle: nothing is gained.
    expect(idsOf(first.view)).toEqual(ids(0, 7));
    const made = walkWith(talk(12), [layer], inChars);
    const again = walkWith(talk(12), [layer], { ...inChars, ledger: made.ledger });
    expect(again.view).toEqual(made.view);
    const grown = walkWith(talk(13), [layer], { ...inChars, ledger: made.ledger });
    expect(idsOf(grown.view)).toEqual(['m0', 'm1', 'palimpsest/e2', ...ids(9, 13)]);
    expect(textOf([grown.view[2]!])).toBe('[7 earlier messages are hidden here; recall e2]');
  });

  it('pinned messages in the middle stay where they are', () => {
    const made = walkWith(talk(14), [folding(snipMiddle({ keepFirst: 2, keepLast: 4 }))], {
      ...inChars,
      ledger: decided({ pins: ['m5'] }),
    });
    expect(idsOf(made.view)).toEqual(['m0', 'm1', 'palimpsest/e1', 'm5', 'palimpsest/e2', ...ids(10, 14)]);
    const first = walkWith(talk(14), [folding(snipMiddle({ keepFirst: 2, keepLast: 4 }))], {
      ...inChars,
      ledger: decided({ pins: ['m2'] }),
    });
    expect(idsOf(first.view)).toEqual(['m0', 'm1', 'm2', 'palimpsest/e1', ...ids(10, 14)]);
    // Between two pins a single message is left alone.
    const both = walkWith(talk(14), [folding(snipMiddle({ keepFirst: 2, keepLast: 4 }))], {
      ...inChars,
      ledger: decided({ pins: ['m5', 'm7'] }),
    });
    expect(idsOf(both.view)).toEqual(['m0', 'm1', 'palimpsest/e1', 'm5', 'm6', 'm7', 'palimpsest/e2', ...ids(10, 14)]);
  });

  it('a round at either edge stays whole, on the side of what is kept', () => {
    const round = (id: string): readonly NewMessage[] => [
      assistant([call('x', 'bash', { command: 'run' })], `${id}-call`),
      results([result('x', 'y'.repeat(60))], `${id}-result`),
    ];
    const history = [user('go', 'u'), ...['a', 'b', 'c', 'd', 'e'].flatMap(round)];
    const made = walkWith(history, [snipMiddle({ keepFirst: 2, keepLast: 3 })], inChars);
    expect(idsOf(made.view)).toEqual([
      'u',
      'a-call',
      'a-result',
      'palimpsest/e1',
      'd-call',
      'd-result',
      'e-call',
      'e-result',
    ]);
    // A pin inside a round holds the whole round.
    const pinned = walkWith(history, [snipMiddle({ keepFirst: 1, keepLast: 2 })], {
      ...inChars,
      ledger: decided({ pins: ['b-result'] }),
    });
    expect(idsOf(pinned.view)).toEqual([
      'u',
      'palimpsest/e1',
      'b-call',
      'b-result',
      'palimpsest/e2',
      'e-call',
      'e-result',
    ]);
  });

  it('a notice no smaller than what it stands for stays away', () => {
    const notice = '[2 earlier messages are hidden here; recall e1]'.length;
    const history = (chars: number): readonly NewMessage[] => [
      user('first', 'm0'),
      assistant('a'.repeat(20), 'm1'),
      assistant('b'.repeat(chars - 20), 'm2'),
      assistant('last', 'm3'),
    ];
    const folds = (chars: number): number =>
      editsOf(walkWith(history(chars), [snipMiddle({ keepFirst: 1, keepLast: 1 })], inChars)).length;
    expect(folds(notice)).toBe(0);
    expect(folds(notice + 1)).toBe(1);
  });

  it('by count the budget’s own target for messages does not matter', () => {
    const made = walkWith(talk(12), [folding(snipMiddle({ keepFirst: 2, keepLast: 4 }))], {
      ...inChars,
      budget: budgetOf({ triggerMessages: 100, targetMessages: 5 }),
    });
    expect(idsOf(made.view)).toEqual(['m0', 'm1', 'palimpsest/e1', ...ids(8, 12)]);
  });

  it('at the limit only: the list is brought down to the target, whatever its length', () => {
    const layer = folding(snipMiddle({ when: 'limit' }));
    expect(editsOf(walkWith(talk(80), [layer], inChars))).toEqual([]);
    const view = (triggerMessages: number, targetMessages: number): readonly string[] =>
      idsOf(walkWith(talk(80), [layer], { ...inChars, budget: budgetOf({ triggerMessages, targetMessages }) }).view);
    expect(view(80, 40)).toHaveLength(80);
    expect(view(79, 40)).toEqual([...ids(0, 3), 'palimpsest/e1', ...ids(44, 80)]);
    expect(view(70, 60)).toEqual([...ids(0, 3), 'palimpsest/e1', ...ids(33, 80)]);
    // However low the target, the newest message stays.
    expect(view(70, 2)).toEqual([...ids(0, 3), 'palimpsest/e1', 'm79']);
  });
});
