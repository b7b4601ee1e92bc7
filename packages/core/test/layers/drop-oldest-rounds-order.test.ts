import { describe, expect, it } from 'vitest';
import { assistant, type Entry, type FoldEdit, type InsertEdit, type NewMessage, text, user } from '../../src/index.ts';
import { floor, rounds } from '../support/floor.ts';
import { decided, idsOf, inChars, walkWith } from '../support/walks.ts';
import { textOf } from '../texts.ts';

const rule = 'Never touch the vault, whatever happens.';
const older = 'The first table lies in the blue folder, the other one beside it.';
const request = 'Compare the totals of both tables now, please.';
const pin = (message: string): Entry => ({ type: 'pin', message });

describe('drop-oldest-rounds: what gives way, in order', () => {
  /** The head, a summary of work, an older text, the newest request, pinned rounds, the newest round. */
  const history: readonly NewMessage[] = [
    user(rule, 'u'),
    ...Array.from({ length: 12 }, (_, i) => assistant('so it goes '.repeat(20), `s-${i}`)),
    user(older, 'v'),
    user(request, 'q'),
    ...rounds(0, 4, 900),
    ...rounds(4, 5),
  ];
  const summary: FoldEdit = {
    type: 'fold',
    ref: 'e1',
    from: 's-0',
    to: 's-11',
    hides: { messages: 12, bytes: 1 },
    messages: [{ id: 's', role: 'user', origin: 'palimpsest', parts: [text(`It was ${'work '.repeat(20)}`)] }],
    summary: { of: 'history', by: 'digest' },
  };
  const ledgerOf = (of: readonly NewMessage[], edits: readonly (FoldEdit | InsertEdit)[] = [summary]) =>
    walkWith(of, [{ name: 'mine', decide: () => ({ edits }) }], inChars).ledger;
  const pinned = (ids: readonly string[], of = history) => {
    const { entries, ...ledger } = ledgerOf(of);
    return { ...ledger, entries: [...entries, ...ids.map(pin)] };
  };
  const cut = (target: number, ids = ['r-0', 'r-1', 'r-2', 'r-3']) => floor(history, target, { ledger: pinned(ids) });

  it('the first and the newest request outlive all else', () => {
    for (let target = 1_600; target >= 240; target -= 40) {
      const { view, tokens } = cut(target);
      expect(textOf(view), `in ${target}`).toContain(rule);
      expect(textOf(view), `in ${target}`).toContain(request);
      expect(tokens, `in ${target}`).toBeLessThanOrEqual(target);
    }
  });

  it('the summary goes before text that is within its share; then go older text and pins', () => {
    const shown = (target: number): string => {
      const { view } = cut(target, ['r-2', 'r-3']);
      const said = textOf(view);
      const pins = ['r-2', 'r-3'].filter((id) => idsOf(view).includes(id)).length;
      return `${said.includes(older) ? 'text ' : ''}${pins} pins${said.includes('It was') ? ' summary' : ''}`;
    };
    const order: string[] = [];
    for (let target = 3_000; target >= 200; target -= 20) {
      const now = shown(target);
      if (now !== order.at(-1)) order.push(now);
    }
    expect(order).toEqual(['text 2 pins summary', 'text 2 pins', '2 pins', '0 pins']);
  });

  it('a pinned answer of the model is not taken for the newest request', () => {
    const talk = [...history.slice(0, -10), assistant('pinned answer '.repeat(60), 'p'), ...rounds(4, 5)];
    const made = floor(talk, 420, { ledger: pinned(['p'], talk) });
    expect(textOf(made.view)).toContain(request);
  });

  it('the first and the newest request outlive other text, and pins, where there is no summary', () => {
    const talk = [
      user(rule, 'u'),
      ...rounds(0, 1),
      user(older, 'v'),
      ...rounds(1, 2, 300),
      user(request, 'q'),
      ...rounds(2, 3),
    ];
    for (let target = 700; target >= 340; target -= 40) {
      const seen = textOf(floor(talk, target, { ledger: decided({ entries: [pin('r-1')] }) }).view);
      expect(seen, `in ${target}`).toContain(rule);
      expect(seen, `in ${target}`).toContain(request);
    }
  });

  it('where not even that fits, and a call is in flight, the newest request stays and opens the view', () => {
    const short = 'Compare both totals.';
    const flying = [user(short, 'u'), assistant('so it goes '.repeat(150), 's-0'), ...rounds(4, 5).slice(0, 1)];
    const made = floor(flying, 60, { ledger: ledgerOf(flying, [{ ...summary, to: 's-0' }]) });
    expect(idsOf(made.view)).toEqual(['u', 'a-4', 'a-4/unanswered']);
    expect(textOf(made.view)).toContain(short);
  });

  it('a newest round with carried files behind it goes before the first and the newest request do', () => {
    const talk = [...history.slice(0, -10), ...rounds(4, 5)];
    const carried: InsertEdit = {
      type: 'insert',
      ref: 'e2',
      after: 'r-4',
      messages: [{ id: 'c', role: 'user', origin: 'palimpsest', parts: [text('carried '.repeat(80))] }],
    };
    const made = floor(talk, 600, { ledger: ledgerOf(talk, [summary, carried]) });
    expect(textOf(made.view)).toContain(rule);
    expect(textOf(made.view)).toContain(request);
    expect(made.tokens).toBeLessThanOrEqual(600);
  });

  it('a summary of an earlier version that folds what users typed goes without a word of it, and is no request', () => {
    const talk = [...history.slice(0, 15), ...rounds(4, 5)];
    const old = { ...summary, from: 'u', to: 'q', hides: { messages: 15, bytes: 1 } };
    const made = floor(talk, 600, { ledger: ledgerOf(talk, [old]) });
    expect(made.tokens).toBeLessThanOrEqual(600);
    expect(made.view[0]).toMatchObject({ role: 'user', origin: 'palimpsest' });
    expect(textOf(made.view)).toContain('recall');
  });
});
