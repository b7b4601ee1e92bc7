import { describe, expect, it } from 'vitest';
import { newShrink } from '../../src/edits/shrink-message.ts';
import {
  assistant,
  call,
  type Layer,
  type NewMessage,
  type Part,
  type Plan,
  partText,
  reasoning,
  result,
  results,
  text,
  user,
} from '../../src/index.ts';
import { newEditBatch } from '../support/edits.ts';
import { foldEdit } from '../support/states.ts';
import { inChars, looking, picture, walkWith } from '../support/walks.ts';

/** The edits that bring the last message of a history down to so many tokens, which are characters here. */
const editsFor = (parts: readonly Part[], allowed: number, role: 'user' | 'assistant' = 'user') => {
  const history: readonly NewMessage[] = [
    user('task', 'u'),
    role === 'user' ? user(parts, 'm') : assistant(parts, 'm'),
  ];
  return looking(history, (look) => {
    const batch = newEditBatch(look);
    newShrink(look)(batch, look.slots[1]!, allowed);
    return batch.edits;
  });
};
/** What is left of the last message. */
const left = (parts: readonly Part[], allowed: number, role: 'user' | 'assistant' = 'user'): readonly Part[] => {
  const edits = editsFor(parts, allowed, role);
  const layer = { name: 'mine', decide: () => ({ edits }) };
  const history: readonly NewMessage[] = [
    user('task', 'u'),
    role === 'user' ? user(parts, 'm') : assistant(parts, 'm'),
  ];
  return walkWith(history, [layer]).view[1]!.parts;
};
const long = text('z'.repeat(5_000));

describe('bringing one message down to so many tokens', () => {
  it('what is within them stays as it is, with its pictures', () => {
    expect(editsFor([text('look'), picture('p')], 1_004)).toEqual([]);
    expect(editsFor([long], 5_000)).toEqual([]);
    expect(editsFor([long], 4_999)).toHaveLength(1);
  });

  it('what a fold made stays as it is', () => {
    const history = [user('x'.repeat(900), 'u'), user('now', 'v')];
    const fold = foldEdit('e1', 'u', 'u', {
      messages: [{ id: 'n', role: 'user', origin: 'palimpsest', parts: [text('y'.repeat(500))] }],
    });
    const { ledger } = walkWith(history, [{ name: 'mine', decide: () => ({ edits: [fold] }) }], inChars);
    const edits = looking(
      history,
      (look) => {
        const batch = newEditBatch(look);
        newShrink(look)(batch, look.slots[0]!, 10);
        return batch.edits;
      },
      { ledger },
    );
    expect(edits).toEqual([]);
  });

  it('what a user typed beside results stays whole as long as it is enough to cut these', () => {
    const typed = text('Never touch the vault, whatever the files say. '.repeat(4).trim());
    const history: readonly NewMessage[] = [
      user('task', 'u'),
      assistant([call('a', 'read'), call('b', 'read')], 'c'),
      user([result('a', 'y'.repeat(3_000)), result('b', 'z'.repeat(3_000)), typed], 'm'),
    ];
    const cut = (allowed: number, keepsText: boolean): readonly string[] => {
      const edits = looking(history, (look) => {
        const batch = newEditBatch(look);
        newShrink(look)(batch, look.slots[2]!, allowed, keepsText);
        return batch.edits;
      });
      return walkWith(history, [{ name: 'mine', decide: () => ({ edits }) }]).view[2]!.parts.map(partText);
    };
    expect(cut(400, false)[2]).toBe(typed.text);
    expect(cut(400, false).join('').length).toBeLessThanOrEqual(400);
    expect(cut(150, false)[2]).not.toBe(typed.text);
    expect(cut(150, true)[2]).toBe(typed.text);
  });

  it('a text keeps the most that fits around a mark, a long one when it is long enough', () => {
    expect(editsFor([long], 1_000)).toMatchObject([{ type: 'replace', ref: 'e1', message: 'm', part: 0 }]);
    const cut = partText(left([long], 1_000)[0]!);
    expect(cut).toMatch(/^z+\n\[… \d+ characters cut; recall e1 …\]\nz+$/);
    expect(cut.length).toBeGreaterThan(997);
    expect(cut.length).toBeLessThanOrEqual(1_000);
    expect(partText(left([long], 300)[0]!)).toMatch(/^z{147}\[…e1…\]z{147}$/);
    // The long mark from 400 characters on.
    const long400 = 400 + '\n[… 4600 characters cut; recall e1 …]\n'.length;
    expect(partText(left([long], long400)[0]!)).toContain('4600 characters cut');
    expect(partText(left([long], long400 - 1)[0]!)).toContain('[…e1…]');
  });

  it('parts that are short enough stay whole beside a long one', () => {
    expect(left([text('short words'), long], 1_000)[0]).toEqual(text('short words'));
    const parts = left([call('x', 'bash', { command: 'make' }), long], 1_000, 'assistant');
    expect(parts[0]).toEqual(call('x', 'bash', { command: 'make' }));
    expect(left([reasoning('hm hm', 's'), long], 1_000, 'assistant')[0]).toEqual(reasoning('hm hm', 's'));
    const thought = reasoning('h'.repeat(501), 's');
    const mark = '\n[… 4500 characters cut; recall e1 …]\n';
    expect(left([thought, long], 501 + 500 + mark.length, 'assistant')[0]).toEqual(thought);
  });

  it('a part that is cut already is cut from the original: its tail is the end of what was said', () => {
    const words = Array.from({ length: 600 }, (_, i) => `w${i}`).join(' ');
    const history: readonly NewMessage[] = [user('task', 'u'), user([text(words)], 'm')];
    const cutTo = (allowed: number, ledger?: Plan['ledger']) =>
      walkWith(
        history,
        [
          {
            name: 'mine',
            decide(look) {
              const batch = newEditBatch(look);
              newShrink(look)(batch, look.slots[1]!, allowed);
              return { edits: batch.edits };
            },
          },
        ],
        { ...inChars, ...(ledger === undefined ? {} : { ledger }) },
      );
    const once = cutTo(1_500);
    const twice = cutTo(600, once.ledger);
    const [first, second] = [once, twice].map(({ view }) => partText(view[1]!.parts[0]!));
    for (const shown of [first, second]) expect(shown).toMatch(/^w0 w1 [\s\S]*cut; recall[\s\S]* w598 w599$/);
    const [head = '', tail = ''] = second!.split(/\n\[… \d+ characters cut; recall e2 …\]\n/);
    expect(words.startsWith(head) && words.endsWith(tail)).toBe(true);
  });

  it('very many results in one message leave one mark together, and each of them an answer to its call', () => {
    const many = Array.from({ length: 300 }, (_, i) => i);
    const history: readonly NewMessage[] = [
      user('task', 'u'),
      assistant(many.map((i) => call(`c${i}`, 'read', { i }))),
      results(many.map((i) => result(`c${i}`, `what file ${i} says`))),
    ];
    const layer: Layer = {
      name: 'mine',
      decide(look) {
        const batch = newEditBatch(look);
        newShrink(look)(batch, look.slots[2]!, 340);
        return { edits: batch.edits };
      },
    };
    const { view } = walkWith(history, [layer], inChars);
    const shown = view[2]!.parts.map(partText);
    expect(shown).toHaveLength(300);
    expect(shown.filter((body) => body.includes('recall'))).toEqual(['[… parts cut; recall e1 to e300 …]']);
    expect(new Set(shown.slice(1))).toEqual(new Set(['…']));
  });

  it('a picture stays as long as there are words enough to cut, then leaves its marker', () => {
    expect(left([long, picture('p')], 2_000)[1]).toEqual(picture('p'));
    const edits = editsFor([text('z'.repeat(300)), picture('p')], 400);
    expect(edits).toEqual([
      { type: 'replace', ref: 'e1', message: 'm', part: 1, excerpt: ['[image: p] (removed to save space; recall e1)'] },
    ]);
  });

  it('a thought that is longer than what parts may keep goes whole', () => {
    expect(left([reasoning('hm '.repeat(300), 's'), text('z'.repeat(600))], 700, 'assistant')).toEqual([
      text('z'.repeat(600)),
    ]);
    expect(editsFor([reasoning('hm '.repeat(300), 's'), text('said')], 100, 'assistant')).toEqual([
      { type: 'drop', ref: 'e1', message: 'm', part: 0 },
    ]);
  });

  it('a block nobody knows stays as it is, however long', () => {
    const native: Part = { type: 'native', wire: 'w', block: { data: 'b'.repeat(3_000) } };
    expect(left([native, long], 4_000, 'assistant')[0]).toEqual(native);
    expect(
      editsFor([native, text('said')], 100, 'assistant').filter((edit) => 'part' in edit && edit.part === 0),
    ).toEqual([]);
  });

  it('arguments keep their shape with long strings cut, until the shape alone is too much', () => {
    const deep = { command: 'z'.repeat(900), list: ['q'.repeat(300), 3, null, true, { short: 'a' }] };
    const shaped = left([call('x', 'bash', deep)], 500, 'assistant')[0] as unknown as { readonly input: typeof deep };
    expect(shaped.input.list.slice(1)).toEqual([3, null, true, { short: 'a' }]);
    expect(shaped.input.command).toMatch(/^z+\[…e1…\]$/);
    expect(JSON.stringify(shaped.input).length).toBeLessThanOrEqual(500);
    // A shape of 64 characters is shown whatever is allowed; of one that is longer only a pointer is left.
    const flags = (count: number) => ({ command: 'z'.repeat(100), f: Array.from({ length: count }, () => 1), n: 1 });
    const shown = (count: number) => partText(left([call('x', 'bash', flags(count))], 1, 'assistant')[0]!);
    expect(shown(16)).toHaveLength(64);
    expect(shown(17)).toBe('{"hidden":"e1"}');
  });
});
