import { describe, expect, it } from 'vitest';
import { assistant, type Entry, type FoldEdit, type InsertEdit, type NewMessage, text, user } from '../../src/index.ts';
import { floor, rounds } from '../support/floor.ts';
import { decided, idsOf, inChars, walkWith } from '../support/walks.ts';
import { textOf } from '../texts.ts';

const rule = 'Never touch the vault, whatever happens.';
const request = 'Compare the totals of both tables now, please.';
const pin = (message: string): Entry => ({ type: 'pin', message });

describe('drop-oldest-rounds: what gives way, in order', () => {
  /** Rule and newest request stand in a summary; behind it are pins. */
  const history: readonly NewMessage[] = [
    user(rule, 'u'),
    ...Array.from({ length: 12 }, (_, i) => [
      assistant('so it goes '.repeat(20), `s-${i}`),
      user(`and table ${'abcdefghijkl'[i]}`, `w-${i}`),
    ]).flat(),
    user(request, 'q'),
    assistant('I compare. '.repeat(30), 'z'),
    ...rounds(0, 4, 900),
    ...rounds(4, 5),
  ];
  const summary: FoldEdit = {
    type: 'fold',
    ref: 'e1',
    from: 'u',
    to: 'z',
    hides: { messages: 27, bytes: 1 },
    messages: [
      { id: 's', role: 'user', origin: 'palimpsest', parts: [text(`${rule}\n${request}\n${'work '.repeat(200)}`)] },
    ],
    summary: { of: 'history', by: 'digest' },
  };
  const summarized = walkWith(history, [{ name: 'mine', decide: () => ({ edits: [summary] }) }], inChars).ledger;
  const pinned = { ...summarized, entries: [...summarized.entries, ...['r-0', 'r-1', 'r-2', 'r-3'].map(pin)] };
  const cut = (target: number): string => textOf(floor(history, target, { ledger: pinned }).view);

  it('rules and the newest request in a summary outlive every pin', () => {
    for (let target = 1_600; target >= 420; target -= 40) {
      expect(cut(target), `in ${target}`).toContain(rule);
      expect(cut(target), `in ${target}`).toContain(request);
    }
  });

  it('pins outlive what a summary tells besides the words of the user', () => {
    const made = floor(history, 1_300, {
      ledger: { ...summarized, entries: [...summarized.entries, pin('r-2'), pin('r-3')] },
    });
    expect(idsOf(made.view)).toEqual(expect.arrayContaining(['r-2', 'r-3']));
    expect(textOf(made.view)).not.toContain('work work');
  });

  it('a pinned answer of the model is not taken for the newest request', () => {
    const talk = [...history.slice(0, -10), assistant('pinned answer '.repeat(60), 'p'), ...rounds(4, 5)];
    const ledger = { ...summarized, entries: [...summarized.entries, pin('p')] };
    const made = floor(talk, 420, { ledger });
    expect(textOf(made.view)).toContain(request);
  });

  it('words with a rule outlive other words, and pins', () => {
    const talk = [
      user(rule, 'u'),
      ...rounds(0, 1),
      user('The first table lies in the blue folder, the other one beside it.', 'v'),
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

  it('where not even that fits, and a call is in flight, the words of a summary stay and open the view', () => {
    const short = 'Compare both totals.';
    const flying = [user(short, 'u'), assistant('so it goes '.repeat(150), 'z'), ...rounds(4, 5).slice(0, 1)];
    const told = { ...summary, hides: { messages: 2, bytes: 1 } };
    const { ledger } = walkWith(flying, [{ name: 'mine', decide: () => ({ edits: [told] }) }], inChars);
    const made = floor(flying, 20, { ledger });
    expect(textOf(made.view)).toContain(`The user said there:\n- ${short}`);
    expect(idsOf(made.view)).toContain('a-4');
    expect(made.view[0]!.role).toBe('user');
  });

  it('a summary that is all there is gives way to the words in it, not to a notice', () => {
    const made = floor(history.slice(0, -10), 420, { ledger: summarized });
    expect(textOf(made.view)).toContain(rule);
    expect(textOf(made.view)).toContain(request);
  });

  it('a newest round with carried files behind it goes before the rules and the request do', () => {
    const talk = [...history.slice(0, -10), ...rounds(4, 5)];
    const carried: InsertEdit = {
      type: 'insert',
      ref: 'e2',
      after: 'r-4',
      messages: [{ id: 'c', role: 'user', origin: 'palimpsest', parts: [text('carried '.repeat(80))] }],
    };
    const { ledger } = walkWith(talk, [{ name: 'mine', decide: () => ({ edits: [summary, carried] }) }], inChars);
    const made = floor(talk, 600, { ledger });
    expect(textOf(made.view)).toContain(rule);
    expect(textOf(made.view)).toContain(request);
    expect(made.tokens).toBeLessThanOrEqual(600);
  });
});
