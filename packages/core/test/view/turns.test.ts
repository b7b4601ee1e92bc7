import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  joinUnits,
  lastTurns,
  type Message,
  mergeNeighbours,
  type NewMessage,
  result,
  results,
  type Slot,
  splitRuns,
  text,
  turnStarts,
  unitsOf,
  user,
  violationOf,
} from '../../src/index.ts';
import { groupAround } from '../../src/view/turns.ts';
import { spanBetween } from '../../src/view/units.ts';
import { idsOf, walkWith } from '../support/walks.ts';

const slotsOf = (history: readonly NewMessage[]): readonly Slot[] =>
  walkWith(history, []).view.map((message, i) => ({ message, tokens: 10, bytes: 0, images: 0, first: i, last: i }));
/** The ids of each unit, joined. */
const split = (slots: readonly Slot[]): readonly string[] =>
  unitsOf(slots).map((unit) => idsOf(slots.slice(unit.start, unit.end).map((slot) => slot.message)).join(' '));

describe('units: what can only be kept or hidden together', () => {
  it('a message alone, calls with all their results and what was typed between them', () => {
    const history = [
      user('go', 'u1'),
      assistant([call('x', 'bash'), call('y', 'bash')], 'a1'),
      results([result('x', 'ok')], 'r1'),
      user('typed meanwhile', 'u2'),
      results([result('y', 'ok')], 'r2'),
      user('typed after', 'u3'),
      assistant('done', 'a2'),
      user('next', 'u4'),
    ];
    expect(split(slotsOf(history))).toEqual(['u1', 'a1 r1 u2 r2', 'u3', 'a2', 'u4']);
    expect(unitsOf(slotsOf(history)).map((unit) => unit.tokens)).toEqual([10, 40, 10, 10, 10]);
  });

  it('calls in flight hold everything after them', () => {
    const flying = [user('go', 'u1'), assistant([call('x', 'bash')], 'a1'), user('and?', 'u2')];
    expect(split(slotsOf(flying).slice(0, 3))).toEqual(['u1', 'a1 u2']);
    const half = [
      user('go', 'u1'),
      assistant([call('x', 'bash'), call('y', 'bash')], 'a1'),
      results([result('x', 'ok')], 'r1'),
      user('and?', 'u2'),
    ];
    expect(split(slotsOf(half).slice(0, 4))).toEqual(['u1', 'a1 r1 u2']);
    const answered = [
      user('go', 'u1'),
      assistant([call('x', 'bash')], 'a1'),
      results([result('x', 'ok')], 'r1'),
      user('?', 'u2'),
    ];
    expect(split(slotsOf(answered))).toEqual(['u1', 'a1 r1', 'u2']);
  });

  it('what one fold made is one thing, and what was put behind a message goes with it', () => {
    const plain = slotsOf([user('a', 'u1'), user('b', 'u2'), user('c', 'u3'), user('d', 'u4')]);
    const folded = plain.map((slot, i) => (i === 1 || i === 2 ? { ...slot, fold: 'e1' } : slot));
    expect(split(folded)).toEqual(['u1', 'u2 u3', 'u4']);
    const two = plain.map((slot, i) => (i === 1 || i === 2 ? { ...slot, fold: `e${i}` } : slot));
    expect(split(two)).toEqual(['u1', 'u2', 'u3', 'u4']);
    const inserted = plain.map((slot, i) => (i >= 2 ? { ...slot, fold: 'e1', inserted: true as const } : slot));
    expect(split(inserted)).toEqual(['u1', 'u2 u3 u4']);
  });
});

describe('spans: neighbouring slots of a view', () => {
  const slots = slotsOf([user('a', 'u1'), user('b', 'u2'), user('c', 'u3'), user('d', 'u4')]);
  const units = unitsOf(slots);

  it('units that are neighbours are one span, with what they take together', () => {
    expect(joinUnits(units.slice(1, 4))).toEqual({
      start: 1,
      end: 4,
      tokens: 30,
      slots: slots.slice(1, 4),
      first: slots[1],
      last: slots[3],
      reach: 3,
    });
    expect(joinUnits([])).toBeUndefined();
    expect(spanBetween(slots, 1, 3)).toEqual({
      start: 1,
      end: 3,
      tokens: 20,
      slots: slots.slice(1, 3),
      first: slots[1],
      last: slots[2],
      reach: 2,
    });
    // A summary may tell of what was hidden behind a pinned message too.
    const reaching = unitsOf([{ ...slots[0]!, reach: 2 }, slots[1]!]);
    expect(joinUnits(reaching)?.reach).toBe(2);
    expect(spanBetween(slots, 2, 2)).toBeUndefined();
  });

  it('runs lie between units that are barred from them; none is empty', () => {
    const runs = (...barred: readonly string[]) =>
      splitRuns(units, (unit) => barred.includes(unit.first.message.id)).map((run) =>
        run.map((unit) => unit.first.message.id).join(' '),
      );
    expect(runs()).toEqual(['u1 u2 u3 u4']);
    expect(runs('u2')).toEqual(['u1', 'u3 u4']);
    expect(runs('u1', 'u2', 'u4')).toEqual(['u3']);
    expect(runs('u1', 'u2', 'u3', 'u4')).toEqual([]);
    expect(splitRuns([], () => false)).toEqual([]);
  });
});

describe('groups: what a provider sees as one message', () => {
  it('all messages of the user between two of the assistant, whichever is asked about', () => {
    const slots = slotsOf([
      user('a', 'u1'),
      user('b', 'u2'),
      assistant([call('x', 'bash'), call('y', 'bash')], 'a1'),
      results([result('x', 'ok')], 'r1'),
      results([result('y', 'ok')], 'r2'),
      user('c', 'u3'),
      assistant('done', 'a2'),
    ]);
    expect(groupAround(slots, 0)).toEqual({ start: 0, end: 2 });
    expect(groupAround(slots, 1)).toEqual({ start: 0, end: 2 });
    for (const at of [3, 4, 5]) expect(groupAround(slots, at)).toEqual({ start: 3, end: 6 });
  });
});

describe('turns: from one message of the user to the next', () => {
  const history = [
    user('one', 'u1'),
    assistant('ok', 'a1'),
    { ...user('reminder', 'h1'), origin: 'harness' as const },
    user('two', 'u2'),
    assistant([call('x', 'bash')], 'a2'),
    results([result('x', 'out')], 'r1'),
    user('three', 'u3'),
  ];

  it('begin where a human wrote words', () => {
    expect(turnStarts(slotsOf(history))).toEqual([0, 3, 6]);
    const wordless = slotsOf([
      user([{ type: 'media', kind: 'image', mediaType: 'image/png', data: 'AA' }], 'p'),
      user('x'),
    ]);
    expect(turnStarts(wordless)).toEqual([1]);
    const [blank] = slotsOf([user('x')]);
    const parts = [text(' \n ')];
    expect(turnStarts([{ ...blank!, message: { ...blank!.message, parts } }])).toEqual([]);
  });

  it('the last ones are counted from the end; with fewer than that all are', () => {
    const slots = slotsOf(history);
    expect([1, 2, 3, 4].map((count) => lastTurns(slots, count))).toEqual([6, 3, 0, 0]);
    expect(lastTurns(slots, 0)).toBe(6);
    expect(lastTurns([], 1)).toBe(0);
  });
});

describe('alternation', () => {
  it('neighbours of one role become one message, results first, standing for both', () => {
    const view: readonly Message[] = walkWith(
      [
        user('typed', 'u1'),
        user('more', 'u2'),
        assistant([call('x', 'bash')], 'a1'),
        user('meanwhile', 'u3'),
        results([result('x', 'out')], 'r1'),
        assistant('ok', 'a2'),
      ],
      [],
    ).view;
    const merged = mergeNeighbours(view);
    expect(merged.map((message) => [message.id, message.role, message.parts.map((part) => part.type)])).toEqual([
      ['u1', 'user', ['text', 'text']],
      ['a1', 'assistant', ['call']],
      ['u3', 'user', ['result', 'text']],
      ['a2', 'assistant', ['text']],
    ]);
    expect(merged[0]!.standsFor).toEqual({ from: 'u1', to: 'u2' });
    expect(merged[2]!.standsFor).toEqual({ from: 'u3', to: 'r1' });
    expect(merged[1]).not.toHaveProperty('standsFor');
    const made = { ...view[0]!, standsFor: { from: 'p', to: 'q' } };
    expect(mergeNeighbours([made, view[1]!])[0]!.standsFor).toEqual({ from: 'p', to: 'u2' });
    expect(mergeNeighbours([view[1]!, made])[0]!.standsFor).toEqual({ from: 'u2', to: 'q' });
  });
});

describe('the rules every view keeps', () => {
  const message = (id: string, role: 'user' | 'assistant', ...parts: Message['parts']): Message => ({
    id,
    role,
    origin: role === 'user' ? 'human' : 'model',
    parts,
  });

  it('a well-formed list breaks none, also with calls in flight at its end', () => {
    const fine = [
      message('u', 'user', text('go')),
      message('a', 'assistant', call('x', 'bash'), call('y', 'bash')),
      message('r', 'user', result('y', 'ok')),
      message('s', 'user', result('x', 'ok'), text('and')),
      message('b', 'assistant', call('x', 'bash')),
    ];
    expect(violationOf(fine)).toBeUndefined();
    expect(violationOf([])).toBeUndefined();
  });

  it('each rule is named with what breaks it', () => {
    const opener = message('a', 'assistant', call('x', 'bash'));
    expect(violationOf([message('u', 'user', text('a')), message('u', 'user', text('b'))])).toEqual({
      rule: 'ids are unique',
      detail: '"u" stands twice',
    });
    expect(violationOf([message('u', 'user')])).toEqual({ rule: 'no message is empty', detail: '"u" has no parts' });
    expect(violationOf([opener, message('b', 'assistant', text('on'))])).toEqual({
      rule: 'every call is answered',
      detail: 'call "x" of "a" has no result',
    });
    expect(
      violationOf([opener, message('r', 'user', result('x', '1')), message('s', 'user', result('x', '2'))]),
    ).toEqual({
      rule: 'a call is answered once',
      detail: '"x" again in "s"',
    });
    expect(violationOf([opener, message('r', 'user', result('z', '1'))])).toEqual({
      rule: 'no result without its call',
      detail: '"z" in "r"',
    });
    const later = [
      opener,
      message('r', 'user', result('x', '1')),
      message('b', 'assistant', text('on')),
      message('s', 'user', result('x', '2')),
    ];
    expect(violationOf(later)).toEqual({ rule: 'no result without its call', detail: '"x" in "s"' });
  });
});
