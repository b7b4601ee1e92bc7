import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  clearOldResults,
  dropOldReasoning,
  type Layer,
  type Message,
  type NewMessage,
  reasoning,
  result,
  results,
  text,
  user,
} from '../../src/index.ts';
import { decided, editsOf, entriesOf, inChars, layersIn, pressedTo, walkWith } from '../support/walks.ts';

/** Two turns; the second has two answers. Thoughts of every kind. */
const history: readonly NewMessage[] = [
  user('first question', 'u1'),
  assistant([reasoning('thought one'), text('answer one')], 'a1'),
  assistant([reasoning('thought two', 'sig2'), text('answer two')], 'a2'),
  user('second question', 'u2'),
  assistant([reasoning('thought three', 'sig3'), text('answer three')], 'a3'),
  assistant([reasoning('thought four', 'sig4'), text('answer four')], 'a4'),
];
const thoughts = (view: readonly Message[]): readonly string[] =>
  view.flatMap((message) => message.parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])));
const tight = { ...inChars, budget: pressedTo(1) };

describe('drop-old-reasoning: thoughts of earlier turns go first under pressure', () => {
  it('whole blocks of earlier turns go, signed or not; the current turn keeps its own, and every word stays', () => {
    const made = walkWith(history, [dropOldReasoning()], tight);
    expect(thoughts(made.view)).toEqual(['thought three', 'thought four']);
    expect(made.view.map((message) => message.parts.at(-1))).toEqual(history.map((message) => message.parts.at(-1)));
    expect(editsOf(made)).toEqual([
      { type: 'drop', ref: 'e1', message: 'a1', part: 0 },
      { type: 'drop', ref: 'e2', message: 'a2', part: 0 },
    ]);
    expect(entriesOf(made)[0]).toMatchObject({ layer: 'drop-old-reasoning', pressed: true });
  });

  it('the latest answer keeps its thought, also where the user has spoken since', () => {
    const asked = [...history, user('third question', 'u3')];
    expect(thoughts(walkWith(asked, [dropOldReasoning()], tight).view)).toEqual(['thought four']);
    const twice = [...asked, user('and more', 'u4')];
    expect(thoughts(walkWith(twice, [dropOldReasoning()], tight).view)).toEqual(['thought four']);
  });

  it('without pressure on tokens nothing goes', () => {
    expect(editsOf(walkWith(history, [dropOldReasoning()], inChars))).toEqual([]);
    const crowded = { ...inChars, budget: { ...pressedTo(1), trigger: 1e9, triggerMessages: 2, targetMessages: 1 } };
    expect(editsOf(walkWith(history, [dropOldReasoning()], crowded))).toEqual([]);
  });

  it('where a thought belongs to the item behind it, it is left to layers that hide both', () => {
    const wire = { reasoning: 'with-next', nativeEditing: false } as const;
    expect(editsOf(walkWith(history, [dropOldReasoning()], { ...tight, wire }))).toEqual([]);
    const bound = { reasoning: 'bound', nativeEditing: false } as const;
    expect(thoughts(walkWith(history, [dropOldReasoning()], { ...tight, wire: bound }).view)).toEqual([]);
  });

  it('pins stay, and no message is emptied', () => {
    const pinned = walkWith(history, [dropOldReasoning()], { ...tight, ledger: decided({ pins: ['a1'] }) });
    expect(thoughts(pinned.view)).toEqual(['thought one', 'thought three', 'thought four']);
    const bare = [user('q', 'u0'), assistant([reasoning('only a thought')], 'a0'), ...history];
    expect(thoughts(walkWith(bare, [dropOldReasoning()], tight).view)[0]).toBe('only a thought');
  });

  it('several thoughts of one message go each by its own reference', () => {
    const many = [
      user('q', 'u0'),
      assistant([reasoning('one'), text('said'), reasoning('two'), text('more')], 'a0'),
      ...history.slice(3),
    ];
    const made = walkWith(many, [dropOldReasoning()], tight);
    expect(made.view[1]!.parts).toEqual([text('said'), text('more')]);
    expect(editsOf(made)).toMatchObject([{ part: 0 }, { part: 2 }]);
    // Found again by its place in the transcript, not in the view.
    const later = walkWith(many, [dropOldReasoning()], { ...tight, ledger: made.ledger });
    expect(editsOf(later)).toHaveLength(2);
  });

  it('a user’s message is never looked at', () => {
    const foreign = [user('q', 'u0'), ...history.slice(3)];
    expect(editsOf(walkWith(foreign, [dropOldReasoning()], tight))).toEqual([]);
  });
});

describe('where the wire binds signed thoughts to what stands before them', () => {
  const bound = { reasoning: 'bound', nativeEditing: false } as const;
  const replacing = (message: string, part: number): Layer => ({
    name: 'mine',
    decide: (look) => ({ edits: [{ type: 'replace', ref: look.ref(0), message, part, excerpt: ['-'] }] }),
  });
  const after = (layers: readonly Layer[], messages = history) =>
    walkWith(messages, layers, { ...inChars, wire: bound });

  it('signed thoughts behind the first change go, unsigned ones and those before it stay', () => {
    const made = after([replacing('u2', 0)]);
    expect(thoughts(made.view)).toEqual(['thought one', 'thought two']);
    expect(layersIn(made)).toEqual(['mine', 'drop-old-reasoning']);
    expect(thoughts(after([replacing('u1', 0)]).view)).toEqual(['thought one']);
    expect(thoughts(after([replacing('a4', 1)]).view)).toEqual([
      'thought one',
      'thought two',
      'thought three',
      'thought four',
    ]);
  });

  it('within the changed message, only what stands behind the changed part', () => {
    const parts = [reasoning('before', 's1'), text('words that are changed'), reasoning('behind', 's2'), text('end')];
    const messages = [user('q', 'u0'), assistant(parts, 'a0'), user('next', 'u1')];
    expect(thoughts(after([replacing('a0', 1)], messages).view)).toEqual(['before']);
    expect(thoughts(after([replacing('a0', 3)], messages).view)).toEqual(['before', 'behind']);
  });

  it('the first of all changes counts, whichever layer made it', () => {
    const made = after([replacing('a3', 1), replacing('a1', 1)]);
    expect(thoughts(made.view)).toEqual(['thought one']);
    const reversed = after([replacing('a1', 1), replacing('a3', 1)]);
    expect(thoughts(reversed.view)).toEqual(['thought one']);
    const parts = [text('words that are changed'), reasoning('between', 's1'), text('and changed again')];
    const messages = [user('q', 'u0'), assistant(parts, 'a0'), user('next', 'u1')];
    expect(thoughts(after([replacing('a0', 2), replacing('a0', 0)], messages).view)).toEqual([]);
    expect(thoughts(after([replacing('a0', 0), replacing('a0', 2)], messages).view)).toEqual([]);
  });

  it('a fold changes everything from its first message on; what is put behind a message leaves that message alone', () => {
    const fold: Layer = {
      name: 'mine',
      decide: (look) => ({
        edits: [
          {
            type: 'fold',
            ref: look.ref(0),
            from: 'u2',
            to: 'u2',
            messages: [{ id: 'n', role: 'user', origin: 'palimpsest', parts: [text('-')] }],
            hides: { messages: 1, bytes: 1 },
          },
        ],
      }),
    };
    expect(thoughts(after([fold]).view)).toEqual(['thought one', 'thought two']);
    const inserting: Layer = {
      name: 'mine',
      decide: (look) => ({
        edits: [
          { type: 'replace', ref: look.ref(0), message: 'a3', part: 1, excerpt: ['-'] },
          {
            type: 'insert',
            ref: look.ref(1),
            after: 'a2',
            messages: [{ id: 'n', role: 'user', origin: 'palimpsest', parts: [text('+')] }],
          },
        ],
      }),
    };
    expect(thoughts(after([inserting]).view)).toEqual(['thought one', 'thought two']);
  });

  it('nothing goes where nothing was changed, or where the wire does not bind', () => {
    expect(layersIn(after([clearOldResults()]))).toEqual([]);
    expect(thoughts(walkWith(history, [replacing('u1', 0)], inChars).view)).toHaveLength(4);
    const wire = { reasoning: 'with-next', nativeEditing: false } as const;
    expect(layersIn(walkWith(history, [replacing('u1', 0)], { ...inChars, wire }))).toEqual(['mine']);
  });

  it('a signed thought in front of a call goes too, and the call keeps its result', () => {
    const messages = [
      user('q', 'u0'),
      assistant([reasoning('why', 's1'), call('x', 'bash', { command: 'run' })], 'a0'),
      results([result('x', 'done')], 'r0'),
    ];
    expect(after([replacing('u0', 0)], messages).view[1]!.parts).toEqual([call('x', 'bash', { command: 'run' })]);
  });
});
