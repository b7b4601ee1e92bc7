import { describe, expect, it } from 'vitest';
import { assistant, call, type Edit, type NewMessage, result, results, text, user } from '../../src/index.ts';
import { checkView } from '../../src/view/invariants.ts';
import { applyEdits, type SlotList } from '../../src/view/slot-list.ts';
import { foldEdit, insertEdit, note, replaceEdit, stateOf } from '../support/states.ts';

const history: readonly NewMessage[] = [
  user('a question of some length', 'u1'),
  assistant([call('x', 'bash', { command: 'run it' }), text('so be it')], 'a1'),
  results([result('x', 'the output of it')], 'r1'),
  assistant('an answer of some length', 'a2'),
  user('another question', 'u2'),
];
/** What the check says of a decision, as it is made after every layer that edited. */
const checked = (edits: readonly Edit[], messages = history): (() => void) => {
  const state = stateOf(messages);
  return () => checkView('mine', state, applyEdits(state, state, edits), edits);
};
const breaking = (rule: string, words: string) =>
  expect.objectContaining({ name: 'InvariantError', layer: 'mine', rule, message: expect.stringContaining(words) });

describe('the check after a layer', () => {
  it('a view may stay as large as it was, and not a token larger', () => {
    expect(checked([replaceEdit('e1', 'u2', 'x'.repeat(16))])).not.toThrow();
    expect(checked([replaceEdit('e1', 'u2', 'x'.repeat(17))])).toThrow(breaking('tokens never grow', '109 became 110'));
    expect(checked([insertEdit('e1', 'u2')])).toThrow(breaking('tokens never grow', '109 became 110'));
    expect(checked([foldEdit('e1', 'a2', 'a2'), insertEdit('e2', 'u2')])).not.toThrow();
  });

  it('a view is never emptied; one that was empty may stay so', () => {
    expect(checked([foldEdit('e1', 'u1', 'u2', { messages: [] })])).toThrow(
      breaking('a view is never empty', '5 messages became none'),
    );
    const none: SlotList = { slots: [], sizes: { tokens: 0, bytes: 0, images: 0 } };
    expect(() => checkView('mine', none, none, [])).not.toThrow();
    expect(() => checkView('mine', none, none, [foldEdit('e1', 'u1', 'u1')])).not.toThrow();
  });

  it('whatever may take a message or a part away is held against the rules of every view', () => {
    const unpaired = breaking('no result without its call', '"x" in "r1"');
    expect(checked([foldEdit('e1', 'a1', 'a1')])).toThrow(unpaired);
    expect(checked([{ type: 'drop', ref: 'e1', message: 'a1', part: 0 }])).toThrow(unpaired);
    expect(checked([replaceEdit('e1', 'u1'), foldEdit('e2', 'a1', 'a1')])).toThrow(unpaired);
    const shorten: Edit = { type: 'shorten', ref: 'e1', message: 'a1', part: 0, input: {} };
    expect(checked([shorten, { type: 'drop', ref: 'e2', message: 'a2', part: 0 }])).toThrow(
      breaking('no message is empty', '"a2" has no parts'),
    );
    const twice: Edit = { type: 'insert', ref: 'e2', after: 'u2', messages: [note('u1', '+')] };
    expect(checked([replaceEdit('e1', 'u1'), twice])).toThrow(breaking('ids are unique', '"u1" stands twice'));
    expect(checked([{ type: 'drop', ref: 'e1', message: 'a1', part: 1 }])).not.toThrow();
  });

  it('what stays inside parts is not: it cannot break them, and the whole view would be looked at each time', () => {
    const state = stateOf(history);
    const broken: SlotList = { slots: [...state.slots, ...state.slots], sizes: state.sizes };
    const shorten: Edit = { type: 'shorten', ref: 'e2', message: 'a1', part: 0, input: {} };
    expect(() => checkView('mine', state, broken, [replaceEdit('e1', 'u1'), shorten])).not.toThrow();
    expect(() => checkView('mine', state, broken, [foldEdit('e1', 'u1', 'u1')])).toThrow(
      breaking('ids are unique', '"u1"'),
    );
  });

  it('a cut view starts with the user, unless the transcript itself began with the assistant', () => {
    const started = breaking('a cut view starts with the user', 'it starts with "a1"');
    expect(checked([foldEdit('e1', 'u1', 'u1', { messages: [] })])).toThrow(started);
    expect(checked([foldEdit('e1', 'u1', 'u1')])).not.toThrow();
    const monologue = [
      assistant('first, at some length', 'a1'),
      assistant('second, at some length', 'a2'),
      user('go', 'u'),
    ];
    expect(checked([foldEdit('e1', 'a2', 'a2', { messages: [] })], monologue)).not.toThrow();
    expect(checked([foldEdit('e1', 'a1', 'a1', { messages: [] })], monologue)).toThrow(
      breaking('a cut view starts with the user', 'it starts with "a2"'),
    );
    const spoken = foldEdit('e1', 'a1', 'a1', {
      messages: [{ id: 'n', role: 'assistant', origin: 'model', parts: [text('-')] }],
    });
    expect(checked([spoken], monologue)).not.toThrow();
  });

  it("the model's own words become the end of a view only where they were it before", () => {
    const ends = breaking("a view does not end with the model's words where it ended with the user's", '"a2"');
    expect(checked([foldEdit('e1', 'u2', 'u2', { messages: [] })])).toThrow(ends);
    expect(checked([foldEdit('e1', 'u2', 'u2')])).not.toThrow();
    expect(checked([foldEdit('e1', 'u1', 'r1')], history.slice(0, -1))).not.toThrow();
  });
});
