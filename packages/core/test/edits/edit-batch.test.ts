import { describe, expect, it } from 'vitest';
import { assistant, call, type Layer, type Look, reasoning, result, results, text, user } from '../../src/index.ts';
import { newEditBatch, replaceResult, resultsBackwards } from '../support/edits.ts';
import { bodies, decided, editsOf, inChars, looking, picture, round, walkWith } from '../support/walks.ts';

const history = [user('go on', 'u1'), ...round('a', 'bash', { command: 'x' }, 'y'.repeat(100)), user('next', 'u2')];

describe('a batch of edits', () => {
  it('numbers its edits and adds up what they free', () => {
    const batch = looking([user([text('look'), picture('p')], 'u0'), ...history.slice(1)], (look) => {
      const made = newEditBatch(look);
      expect([made.freed.tokens, made.freed.bytes, made.freed.images]).toEqual([0, 0, 0]);
      expect(
        made.add(
          look.slots[2]!,
          replaceResult({ partIndex: 0 }, (ref) => [ref]),
        ),
      ).toBe(true);
      expect(
        made.add(look.slots[0]!, (ref, message) => ({ type: 'replace', ref, message, part: 1, excerpt: ['-'] })),
      ).toBe(true);
      return made;
    });
    expect(batch.edits).toEqual([
      { type: 'replace', ref: 'e1', message: 'r-a', part: 0, excerpt: ['e1'] },
      { type: 'replace', ref: 'e2', message: 'u0', part: 1, excerpt: ['-'] },
    ]);
    expect(batch.freed.tokens).toBe(98 + 999);
    expect(batch.freed.bytes).toBe(98 + 2_000);
    expect(batch.freed.images).toBe(1);
  });

  it('refuses what would not make the view smaller, or would empty a message; the number is not used up', () => {
    looking(history, (look) => {
      const batch = newEditBatch(look);
      const put = (chars: number) =>
        batch.add(
          look.slots[2]!,
          replaceResult({ partIndex: 0 }, () => ['z'.repeat(chars)]),
        );
      expect([put(101), put(100)]).toEqual([false, false]);
      expect(batch.add(look.slots[0]!, (ref, message) => ({ type: 'drop', ref, message, part: 0 }))).toBe(false);
      expect(put(99)).toBe(true);
      expect(batch.edits.map((edit) => edit.ref)).toEqual(['e1']);
      // The second edit of a part is measured against the first.
      expect([put(99), put(98)]).toEqual([false, true]);
      expect(batch.freed.tokens).toBe(2);
    });
  });

  it('an excerpt is made of slices and words; a stash is named where there is one', () => {
    const layer = (stash?: string): Layer => ({
      name: 'mine',
      decide(look) {
        const batch = newEditBatch(look);
        batch.add(
          look.slots[2]!,
          replaceResult({ partIndex: 0 }, () => [[0, 2], '…', [98, 100]], stash),
        );
        return { edits: batch.edits };
      },
    });
    const made = walkWith(history, [layer('box')], inChars);
    expect(bodies(made.view)).toEqual(['yy…yy']);
    expect(editsOf(made)[0]).toMatchObject({ stash: 'box' });
    expect(editsOf(walkWith(history, [layer()], inChars))[0]).not.toHaveProperty('stash');
  });
});

describe('results, newest first', () => {
  const many = [
    user('go', 'u1'),
    assistant([reasoning('hm'), call('x', 'bash', { command: 'x' }), call('y', 'read', { path: 'a' })], 'a1'),
    results([result('x', 'first'), result('y', 'second')], 'r1'),
    ...round('z', 'mcp__db__query', { q: 1 }, 'third'),
    user('next', 'u2'),
  ];
  const sites = (look: Look, start = 0, end = look.slots.length) => [...resultsBackwards(look, start, end)];

  it('with the call each answers, the kind of its tool and its place', () => {
    const found = looking(many, (look) =>
      sites(look).map(({ slot, partIndex, kind, edited, call: made }) => {
        return { at: look.slots.indexOf(slot), partIndex, kind, edited, tool: made?.tool };
      }),
    );
    expect(found).toEqual([
      { at: 4, partIndex: 0, kind: 'other', edited: false, tool: 'mcp__db__query' },
      { at: 2, partIndex: 1, kind: 'read', edited: false, tool: 'read' },
      { at: 2, partIndex: 0, kind: 'shell', edited: false, tool: 'bash' },
    ]);
  });

  it('within the slots that were asked for, from the first to before the last', () => {
    expect(looking(many, (look) => sites(look, 3)).map((site) => site.at)).toEqual([4]);
    expect(looking(many, (look) => sites(look, 4, 5)).map((site) => site.at)).toEqual([4]);
    expect(looking(many, (look) => sites(look, 0, 4)).map((site) => site.at)).toEqual([2, 2]);
  });

  it('tells what was edited before, and passes folds over', () => {
    const layer: Layer = {
      name: 'mine',
      decide: (look) => ({
        edits: [
          { type: 'replace', ref: look.ref(0), message: 'r1', part: 1, excerpt: ['-'] },
          {
            type: 'fold',
            ref: look.ref(1),
            from: 'a-z',
            to: 'r-z',
            messages: [
              { id: 'n1', role: 'assistant', origin: 'model', parts: [call('q', 'bash')] },
              { id: 'n2', role: 'user', origin: 'palimpsest', parts: [result('q', '')] },
            ],
            hides: { messages: 2, bytes: 1 },
          },
        ],
      }),
    };
    const { ledger } = walkWith(many, [layer], inChars);
    const found = looking(many, (look) => sites(look), { ledger });
    expect(found.map((site) => [site.partIndex, site.edited])).toEqual([
      [1, true],
      [0, false],
    ]);
    expect(looking(many, (look) => sites(look), { ledger: decided({ seen: 3 }) })).toHaveLength(3);
  });
});
