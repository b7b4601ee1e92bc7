import { describe, expect, it } from 'vitest';
import {
  assistant,
  bytesOf,
  call,
  type Edit,
  estimateMessage,
  imagesIn,
  type Message,
  type NewMessage,
  type PartEdit,
  partText,
  reasoning,
  result,
  results,
  text,
  user,
} from '../../src/index.ts';
import { editSlot, tryEdits } from '../../src/view/edit-slot.ts';
import { partIndex } from '../../src/view/slot.ts';
import { applyEdits, findSlot, noSizes } from '../../src/view/slot-list.ts';
import { foldEdit, insertEdit, note, replaceEdit, stateOf } from '../support/states.ts';
import { countChars, idsOf, picture } from '../support/walks.ts';

const history: readonly NewMessage[] = [
  user([text('look at this'), picture('p.png')], 'm0'),
  assistant([reasoning('hm hm'), text('saying so'), call('x', 'bash', { command: 'run it' })], 'm1'),
  results([result('x', [text('first piece'), picture('q.png'), text('third piece')])], 'm2'),
  assistant('a long answer', 'm3'),
  user('next words', 'm4'),
  assistant('last answer', 'm5'),
];
const apply = (...edits: readonly Edit[]) => {
  const state = stateOf(history);
  return applyEdits(state, state, edits);
};
const shown = (...edits: readonly Edit[]) => idsOf(apply(...edits).slots.map((slot) => slot.message));
const partsAt = (at: number, ...edits: readonly Edit[]): readonly string[] =>
  apply(...edits).slots[at]!.message.parts.map((part) => `${part.type} ${partText(part)}`);
const piece = (ref: string, n: number, words: string): Edit => ({
  type: 'replace',
  ref,
  message: 'm2',
  part: 0,
  piece: n,
  excerpt: [words],
});
const drop = (ref: string, message: string, part: number): Edit => ({ type: 'drop', ref, message, part });

describe('edits of parts', () => {
  it('a call that was shortened has no signature any more, and says that it had one: it stands for the call as it was made', () => {
    const signed = assistant(
      [{ ...call('x', 'bash', { command: 'run it' }), signature: 's' }, call('y', 'bash', 1)],
      'm1',
    );
    const state = stateOf([user('go', 'm0'), signed, results([result('x', 'a'), result('y', 'b')], 'm2')]);
    const shorten = (ref: string, part: number): Edit => ({ type: 'shorten', ref, message: 'm1', part, input: 0 });
    const { parts } = applyEdits(state, state, [shorten('e1', 0), shorten('e2', 1)]).slots[1]!.message;
    expect(parts).toEqual([{ ...call('x', 'bash', 0), signature: '' }, call('y', 'bash', 0)]);
  });

  it('a drop takes the part away, and what is left keeps the index it had', () => {
    expect(partsAt(1, drop('e1', 'm1', 0))).toEqual(['text saying so', 'call {"command":"run it"}']);
    const [slot] = apply(drop('e1', 'm1', 0)).slots.slice(1, 2);
    expect([partIndex(slot!, 0), partIndex(slot!, 1)]).toEqual([1, 2]);
    expect(slot!.partIndexes).toEqual([1, 2]);
    const whole = apply(replaceEdit('e1', 'm1', 'so', 1)).slots[1]!;
    expect(whole).not.toHaveProperty('partIndexes');
    expect([partIndex(whole, 0), partIndex(whole, 2)]).toEqual([0, 2]);
  });

  it('a call gets other arguments and stays the call that it was; other parts cannot be shortened', () => {
    const shorten = (part: number): Edit => ({
      type: 'shorten',
      ref: 'e1',
      message: 'm1',
      part,
      input: { hidden: 'e1' },
    });
    expect(apply(shorten(2)).slots[1]!.message.parts[2]).toEqual(call('x', 'bash', { hidden: 'e1' }));
    expect(partsAt(1, shorten(1))[1]).toBe('text saying so');
  });

  it('an excerpt takes the place of a text, a thought or a picture as text, and of a result as its content', () => {
    const slices: Edit = { type: 'replace', ref: 'e1', message: 'm3', part: 0, excerpt: [[0, 6], '…', [7, 13]] };
    expect(partsAt(3, slices)).toEqual(['text a long…answer']);
    expect(partsAt(0, replaceEdit('e1', 'm0', 'gone', 1))).toEqual(['text look at this', 'text gone']);
    const whole: Edit = { type: 'replace', ref: 'e1', message: 'm2', part: 0, excerpt: [[0, 5], '!'] };
    expect(apply(whole).slots[2]!.message.parts).toEqual([result('x', 'first!')]);
  });

  it('an excerpt of a piece leaves the other pieces; those of several pieces add up', () => {
    expect(apply(piece('e1', 1, 'gone')).slots[2]!.message.parts).toEqual([
      result('x', [text('first piece'), text('gone'), text('third piece')]),
    ]);
    const sliced: Edit = { type: 'replace', ref: 'e1', message: 'm2', part: 0, piece: 2, excerpt: [[0, 5]] };
    expect(apply(sliced, piece('e2', 0, 'one')).slots[2]!.message.parts).toEqual([
      result('x', [text('one'), picture('q.png'), text('third')]),
    ]);
    // A piece that is not there leaves the result as it was.
    expect(apply(piece('e1', 7, 'gone')).slots[2]!.message).toEqual(stateOf(history).base[2]);
  });

  it('a later edit of a whole part replaces an earlier one: excerpts are always of the original', () => {
    const first = replaceEdit('e1', 'm3', 'short');
    const second: Edit = { type: 'replace', ref: 'e2', message: 'm3', part: 0, excerpt: [[0, 6]] };
    expect(partsAt(3, first, second)).toEqual(['text a long']);
    expect(
      partsAt(2, piece('e1', 1, 'gone'), { type: 'replace', ref: 'e2', message: 'm2', part: 0, excerpt: [[0, 5]] }),
    ).toEqual(['result first']);
  });

  it('which parts were touched is known, dropped ones too, also after a later decision', () => {
    const state = stateOf(history);
    const once = applyEdits(state, state, [drop('e1', 'm1', 0)]);
    const twice = applyEdits(state, once, [replaceEdit('e2', 'm1', 'so', 1)]);
    expect([...twice.slots[1]!.edited!.keys()]).toEqual([0, 1]);
    expect(twice.slots[1]!.edited!.get(0)).toBeNull();
    expect(twice.slots[1]!.message.parts.map(partText)).toEqual(['so', '{"command":"run it"}']);
    // What the first decision left is as it was.
    expect(once.slots[1]!.message.parts.map(partText)).toEqual(['saying so', '{"command":"run it"}']);
    expect(state.slots[1]!.message.parts).toHaveLength(3);
  });
});

describe('folds and inserts', () => {
  it('a fold puts its messages in the place of a span, by its reference and its mark', () => {
    const summary = { of: 'history', by: 'digest' } as const;
    const { slots } = apply(foldEdit('e1', 'm1', 'm3', { summary }));
    expect(idsOf(slots.map((slot) => slot.message))).toEqual(['m0', 'n-e1', 'm4', 'm5']);
    expect(slots[1]).toMatchObject({ first: 1, last: 3, fold: 'e1', summary });
    expect(slots[1]).not.toHaveProperty('inserted');
    expect(apply(foldEdit('e1', 'm3', 'm3')).slots[3]).not.toHaveProperty('summary');
    expect(shown(foldEdit('e1', 'm1', 'm3', { messages: [] }))).toEqual(['m0', 'm4', 'm5']);
    expect(shown(foldEdit('e1', 'm3', 'm5'))).toEqual(['m0', 'm1', 'm2', 'n-e1']);
  });

  it('a fold takes earlier folds whole, with all that they show, or is refused', () => {
    const inner = foldEdit('e1', 'm1', 'm2', { messages: [note('n1', '-'), note('n2', '-')] });
    expect(shown(inner, foldEdit('e2', 'm1', 'm3'))).toEqual(['m0', 'n-e2', 'm4', 'm5']);
    expect(shown(inner, foldEdit('e2', 'm0', 'm2'))).toEqual(['n-e2', 'm3', 'm4', 'm5']);
    expect(shown(inner, foldEdit('e2', 'm3', 'm3'))).toEqual(['m0', 'n1', 'n2', 'n-e2', 'm4', 'm5']);
    for (const [from, to] of [
      ['m2', 'm3'],
      ['m0', 'm1'],
      ['m2', 'm2'],
      ['m3', 'm0'],
    ] as const)
      expect(() => apply(inner, foldEdit('e2', from, to))).toThrow(
        'fold e2 cuts through something that is already folded',
      );
    // What an earlier fold hid without a word can be folded again with what stands around it.
    const silent = foldEdit('e1', 'm3', 'm4', { messages: [] });
    expect(shown(silent, foldEdit('e2', 'm1', 'm5'))).toEqual(['m0', 'n-e2']);
  });

  it('what is put behind a message stands behind what was put there before, and says so', () => {
    expect(shown(insertEdit('e1', 'm1'), insertEdit('e2', 'm1'))).toEqual([
      'm0',
      'm1',
      'n-e1',
      'n-e2',
      'm2',
      'm3',
      'm4',
      'm5',
    ]);
    expect(apply(insertEdit('e1', 'm1')).slots[2]).toMatchObject({ first: 1, last: 1, fold: 'e1', inserted: true });
    expect(apply(insertEdit('e1', 'm1')).slots[2]).not.toHaveProperty('summary');
    expect(shown(insertEdit('e1', 'm5')).at(-1)).toBe('n-e1');
    // Behind a fold that begins with the message, behind all that the fold shows.
    const folded = foldEdit('e1', 'm1', 'm2', { messages: [note('n1', '-'), note('n2', '-')] });
    expect(shown(folded, insertEdit('e2', 'm1'))).toEqual(['m0', 'n1', 'n2', 'n-e2', 'm3', 'm4', 'm5']);
    // A fold takes what was put behind its messages with it.
    expect(shown(insertEdit('e1', 'm1'), foldEdit('e2', 'm1', 'm2'))).toEqual(['m0', 'n-e2', 'm3', 'm4', 'm5']);
  });

  it('an edit of a part is made before a later fold in the same decision, and stays with its message', () => {
    const decision = [replaceEdit('e1', 'm3', 'short'), foldEdit('e2', 'm1', 'm2'), replaceEdit('e3', 'm4', 'next')];
    const { slots } = apply(...decision);
    expect(slots.map((slot) => slot.message.parts.map(partText).join(' ')).slice(1, 4)).toEqual(['-', 'short', 'next']);
    expect(partsAt(1, replaceEdit('e1', 'm1', 'so', 1), insertEdit('e2', 'm1'))[1]).toBe('text so');
    expect(partsAt(0, replaceEdit('e1', 'm3', 'short'), foldEdit('e2', 'm0', 'm3'))).toEqual(['text -']);
  });

  it('an edit of what is not shown, or not there, is refused by its reference', () => {
    const hidden = foldEdit('e1', 'm1', 'm3', { messages: [] });
    expect(() => apply(hidden, replaceEdit('e2', 'm1'))).toThrow(
      'edit e2 changes message "m1", which the view does not show',
    );
    expect(() => apply(foldEdit('e1', 'm1', 'm3'), replaceEdit('e2', 'm1'))).toThrow('edit e2 changes message "m1"');
    expect(() => apply(foldEdit('e1', 'm1', 'm3'), replaceEdit('e2', 'm3'))).toThrow('edit e2 changes message "m3"');
    expect(() => apply(foldEdit('e1', 'm4', 'm5', { messages: [] }), insertEdit('e2', 'm5'))).toThrow(
      'edit e2 changes message "m5"',
    );
    expect(() => apply(foldEdit('e1', 'm1', 'm3'), insertEdit('e2', 'm2'))).toThrow('edit e2 changes message "m2"');
    expect(() => apply(replaceEdit('e1', 'nobody'))).toThrow('edit e1 names message "nobody", which is not there');
    expect(() => apply(drop('e1', 'm3', 1))).toThrow('edit e1 names part 1, which is not there');
  });
});

describe('sizes are kept up to date as edits are applied', () => {
  const sum = (messages: readonly Message[]) =>
    messages.reduce(
      (sizes, message) => ({
        tokens: sizes.tokens + countChars(message),
        bytes: sizes.bytes + bytesOf(message),
        images: sizes.images + imagesIn(message),
      }),
      noSizes,
    );

  it('whatever the edits, they are those of the messages shown', () => {
    const decisions: readonly (readonly Edit[])[] = [
      [],
      [replaceEdit('e1', 'm0', '-', 1)],
      [drop('e1', 'm1', 0), drop('e2', 'm1', 1), piece('e3', 1, '-'), piece('e4', 0, '-')],
      [foldEdit('e1', 'm1', 'm2'), insertEdit('e2', 'm4')],
      [replaceEdit('e1', 'm3'), foldEdit('e2', 'm0', 'm3', { messages: [] })],
    ];
    for (const edits of decisions) {
      const { slots, sizes } = apply(...edits);
      expect(sizes).toEqual(sum(slots.map((slot) => slot.message)));
      for (const slot of slots)
        expect({ tokens: slot.tokens, bytes: slot.bytes, images: slot.images }).toEqual(sum([slot.message]));
    }
  });

  it('the slot at a place is found wherever it is, and behind the last there is none', () => {
    const { slots } = apply(foldEdit('e1', 'm1', 'm3'));
    expect([0, 1, 2, 3, 4, 5, 6].map((place) => findSlot(slots, place))).toEqual([0, 1, 1, 1, 2, 3, 4]);
    expect(findSlot([], 0)).toBe(0);
    const silent = apply(foldEdit('e1', 'm1', 'm3', { messages: [] })).slots;
    expect([0, 1, 3, 4].map((place) => findSlot(silent, place))).toEqual([0, 1, 1, 1]);
  });
});

describe('edits on trial', () => {
  const trials: readonly (readonly PartEdit[])[] = [
    [drop('e1', 'm1', 0) as PartEdit, replaceEdit('e2', 'm1', '-', 1) as PartEdit],
    [replaceEdit('e1', 'm1', 'so', 1) as PartEdit, replaceEdit('e2', 'm1', '', 1) as PartEdit],
    [piece('e1', 1, '-') as PartEdit, piece('e2', 0, '-') as PartEdit],
    [{ type: 'shorten', ref: 'e1', message: 'm1', part: 2, input: {} }],
  ];

  it.each([
    ['a counter of one’s own', countChars],
    ['a counter that rounds a whole message', (message: Message) => Math.ceil(countChars(message) * 1.5)],
    ['the embedded estimate', estimateMessage],
  ])('take what the edits would take, by %s', (_, count) => {
    const state = stateOf(history, count);
    for (const edits of trials) {
      const at = edits[0]!.message === 'm1' ? 1 : 2;
      const [slot, original] = [state.slots[at]!, state.base[at]!];
      const trial = tryEdits(slot, original, count);
      for (const edit of edits) expect(trial.take(edit)).toBe(true);
      const { tokens, bytes, images } = editSlot(slot, original, edits, count);
      expect(trial.sizes).toEqual({ tokens, bytes, images });
    }
  });

  it('what earlier decisions did counts: a part can be dropped until one is left', () => {
    const state = stateOf(history);
    const [slot, original] = [state.slots[1]!, state.base[1]!];
    const once = editSlot(slot, original, [drop('e1', 'm1', 0) as PartEdit], countChars);
    const trial = tryEdits(once, original, countChars);
    expect(trial.take(drop('e2', 'm1', 0) as PartEdit)).toBe(false);
    expect(trial.take(drop('e2', 'm1', 1) as PartEdit)).toBe(true);
    expect(trial.take(drop('e3', 'm1', 2) as PartEdit)).toBe(false);
    expect(trial.sizes.tokens).toBe('{"command":"run it"}'.length);
    expect(slot.message.parts).toHaveLength(3);
  });

  it('what is no smaller is not taken, and changes nothing', () => {
    const state = stateOf(history);
    const trial = tryEdits(state.slots[3]!, state.base[3]!, countChars);
    expect(trial.take(replaceEdit('e1', 'm3', 'x'.repeat(13)) as PartEdit)).toBe(false);
    expect(trial.sizes.tokens).toBe(13);
    expect(trial.take(replaceEdit('e1', 'm3', 'x'.repeat(12)) as PartEdit)).toBe(true);
    expect(trial.sizes).toEqual({ tokens: 12, bytes: state.slots[3]!.bytes - 1, images: 0 });
    expect(() => trial.take(drop('e1', 'm3', 4) as PartEdit)).toThrow('names part 4, which is not there');
  });
});
