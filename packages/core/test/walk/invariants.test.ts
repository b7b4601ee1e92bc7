import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type Decision,
  type Edit,
  type FoldEdit,
  InvariantError,
  type Layer,
  type Look,
  type Message,
  type NewMessage,
  result,
  results,
  text,
  user,
} from '../../src/index.ts';
import { walkWith } from '../support/walks.ts';

/** Two turns with calls; every message is long enough to give way to something shorter. */
const history: readonly NewMessage[] = [
  user('please look at the first file and tell what is in there', 'u1'),
  assistant([call('x', 'bash', { command: 'cat first' }), call('y', 'bash', { command: 'cat second' })], 'a1'),
  results([result('x', 'the first file is full of words that nobody needs any more')], 'r1'),
  results([result('y', 'the second file is full of words that nobody needs any more')], 'r2'),
  assistant('both files hold words that nobody needs any more, as far as I can tell', 'a2'),
  user('then please go on with the third file, which is the longest of them', 'u2'),
  assistant('the third file is the longest, and there is nothing in it either', 'a3'),
];

const made = (id: string, parts: Message['parts'], role: Message['role'] = 'user'): Message => ({
  id,
  role,
  origin: role === 'user' ? 'palimpsest' : 'model',
  parts,
});
const fold = (from: string, to: string, messages: readonly Message[] = [], ref = 'e1'): FoldEdit => ({
  type: 'fold',
  ref,
  from,
  to,
  messages,
  hides: { messages: 1, bytes: 1 },
});
const layerOf = (decide: (look: Look) => Decision): Layer => ({ name: 'breaker', decide });
const deciding = (...edits: readonly Edit[]): Layer => layerOf(() => ({ edits }));

const broken: readonly (readonly [rule: string, layer: Layer])[] = [
  ['references are consecutive', deciding({ type: 'drop', ref: 'e2', message: 'u1', part: 0 })],
  [
    'references are consecutive',
    deciding(
      { type: 'replace', ref: 'e1', message: 'u1', part: 0, excerpt: ['short'] },
      { type: 'replace', ref: 'e1', message: 'u2', part: 0, excerpt: ['short'] },
    ),
  ],
  ['edits name what the view shows', deciding({ type: 'drop', ref: 'e1', message: 'nobody', part: 0 })],
  ['edits name what the view shows', deciding({ type: 'drop', ref: 'e1', message: 'u1', part: 1 })],
  ['edits name what the view shows', deciding(fold('u1', 'nobody'))],
  ['edits name what the view shows', deciding(fold('u2', 'u1'))],
  [
    'edits name what the view shows',
    deciding(fold('u1', 'r2', [made('n', [text('short')])]), fold('r1', 'a2', [], 'e2')),
  ],
  [
    'edits name what the view shows',
    deciding(fold('u1', 'r2', [made('n', [text('short')])]), { type: 'drop', ref: 'e2', message: 'a1', part: 0 }),
  ],
  [
    'tokens never grow',
    deciding({ type: 'replace', ref: 'e1', message: 'u1', part: 0, excerpt: ['long words '.repeat(90)] }),
  ],
  ['tokens never grow', deciding({ type: 'insert', ref: 'e1', after: 'a3', messages: [made('n', [text('more')])] })],
  ['a view is never empty', deciding(fold('u1', 'a3'))],
  ['every call is answered', deciding(fold('r2', 'r2'))],
  ['a call is answered once', deciding(fold('r2', 'r2', [made('n', [result('x', 'ok')])]))],
  ['no result without its call', deciding(fold('a1', 'a1', [made('n', [text('hm')], 'assistant')]))],
  ['no result without its call', deciding(fold('a1', 'a1'))],
  ['ids are unique', deciding(fold('a2', 'a2', [made('u1', [text('hm')])]))],
  ['no message is empty', deciding({ type: 'drop', ref: 'e1', message: 'a2', part: 0 })],
  ['no message is empty', deciding(fold('a2', 'a2', [made('n', [])]))],
  ['a cut view starts with the user', deciding(fold('u1', 'u1'))],
];

const breaking = (rule: string) => expect.objectContaining({ name: 'InvariantError', layer: 'breaker', rule });

describe('a layer that breaks a rule is refused by its name and the rule’s', () => {
  it.each(broken)('%s', async (rule, layer) => {
    expect(() => walkWith(history, [layer])).toThrow(breaking(rule));
    const session = createSession({ window: 100_000, layers: [layer] });
    for (const message of history) session.append(message);
    const before = JSON.stringify(session.ledger());
    await expect(session.view()).rejects.toThrow(breaking(rule));
    expect(JSON.stringify(session.ledger())).toBe(before);
  });

  it('the error says which layer, which rule and what is wrong', () => {
    const error = new InvariantError('mine', 'tokens never grow', '5 became 7');
    expect(error.message).toBe('layer "mine" broke the rule "tokens never grow": 5 became 7');
    const tellings: readonly (readonly [Layer, string])[] = [
      [deciding({ type: 'drop', ref: 'e7', message: 'u1', part: 0 }), 'e7 instead of e1'],
      [
        deciding(
          { type: 'replace', ref: 'e1', message: 'u1', part: 0, excerpt: ['short'] },
          { type: 'replace', ref: 'e7', message: 'u2', part: 0, excerpt: ['short'] },
        ),
        'e7 instead of e2',
      ],
      [deciding({ type: 'drop', ref: 'e1', message: 'nobody', part: 0 }), 'names message "nobody", which is not there'],
      [deciding({ type: 'drop', ref: 'e1', message: 'u1', part: 3 }), 'names part 3, which is not there'],
      [deciding(fold('u2', 'u1')), 'fold e1 cuts through something that is already folded'],
      [deciding(fold('u1', 'a3')), '7 messages became none'],
      [deciding(fold('r2', 'r2')), 'call "y" of "a1" has no result'],
      [deciding(fold('r2', 'r2', [made('n', [result('x', 'ok')])])), '"x" again in "n"'],
      [deciding(fold('a1', 'a1')), '"x" in "r1"'],
      [deciding(fold('a2', 'a2', [made('u1', [text('hm')])])), '"u1" stands twice'],
      [deciding(fold('a2', 'a2', [made('n', [])])), '"n" has no parts'],
      [deciding(fold('u1', 'u1')), 'it starts with "a1"'],
    ];
    for (const [layer, words] of tellings) expect(() => walkWith(history, [layer])).toThrow(words);
    const grown = deciding({ type: 'insert', ref: 'e1', after: 'a3', messages: [made('n', [text('more')])] });
    expect(() => walkWith(history, [grown])).toThrow(/\d+ became \d+/);
  });

  it('a rule that a later layer breaks is laid to that layer, with references counted on', () => {
    const first: Layer = {
      name: 'first',
      decide: (look) => ({
        edits: [{ type: 'replace', ref: look.ref(0), message: 'u1', part: 0, excerpt: ['short'] }],
      }),
    };
    const again = deciding({ type: 'replace', ref: 'e1', message: 'u2', part: 0, excerpt: ['short'] });
    expect(() => walkWith(history, [first, again])).toThrow(breaking('references are consecutive'));
    const next = deciding({ type: 'replace', ref: 'e2', message: 'u2', part: 0, excerpt: ['short'] });
    expect(walkWith(history, [first, next]).view).toHaveLength(history.length);
  });

  it('what keeps every rule passes: a fold with an attachment that is smaller with it, and a view that always began so', () => {
    const note = made('n', [text('short')]);
    const attached = deciding(fold('u1', 'r2', [note]), {
      type: 'insert',
      ref: 'e2',
      after: 'u2',
      messages: [made('carried', [text('more')])],
    });
    expect(walkWith(history, [attached]).view.map((message) => message.id)).toEqual(['n', 'a2', 'u2', 'carried', 'a3']);
    // A transcript that begins with the assistant may go on doing so.
    const monologue = [assistant('one thing, at some length', 'm1'), assistant('another, at some length', 'm2')];
    const dropped = deciding(fold('m2', 'm2'));
    expect(walkWith(monologue, [dropped]).view).toHaveLength(1);
    const replaced = deciding(fold('m1', 'm1', [made('n', [text('one')], 'assistant')]));
    expect(walkWith(monologue, [replaced]).view).toHaveLength(2);
  });
});
