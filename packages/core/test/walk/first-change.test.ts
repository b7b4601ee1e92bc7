import { describe, expect, it } from 'vitest';
import {
  assistant,
  type Edit,
  type Layer,
  type Message,
  type NewMessage,
  partText,
  reasoning,
  text,
  user,
} from '../../src/index.ts';
import { inChars, layersIn, walkWith } from '../support/walks.ts';

/** Three answers, each with words between two signed thoughts. */
const history: readonly NewMessage[] = [1, 2, 3].flatMap((n) => [
  user(`question number ${n}`, `u${n}`),
  assistant([reasoning(`before ${n}`, 's'), text(`words of answer ${n}`), reasoning(`behind ${n}`, 's')], `a${n}`),
]);
const layerOf = (...edits: readonly Edit[]): Layer => ({
  name: 'mine',
  decide: (look) => ({ edits: edits.map((edit, i) => ({ ...edit, ref: look.ref(i) })) }),
});
const replace = (message: string, part = 0): Edit => ({ type: 'replace', ref: '', message, part, excerpt: ['-'] });
const note: Message = { id: 'n', role: 'user', origin: 'palimpsest', parts: [text('-')] };
const fold = (from: string, to: string): Edit => ({
  type: 'fold',
  ref: '',
  from,
  to,
  messages: [note],
  hides: { messages: 1, bytes: 1 },
});
const insert = (after: string): Edit => ({ type: 'insert', ref: '', after, messages: [{ ...note, id: 'm' }] });

const walked = (...layers: readonly Layer[]) =>
  walkWith(history, layers, { ...inChars, wire: { reasoning: 'bound', nativeEditing: false } });
const thoughts = (...layers: readonly Layer[]): readonly string[] =>
  walked(...layers).view.flatMap((message) =>
    message.parts.filter((part) => part.type === 'reasoning').map((part) => partText(part)),
  );

describe('where a wire binds signed thoughts to what stands before them, those behind the first change of a walk go', () => {
  it('of a part: those behind it in its message, and all of later messages', () => {
    expect(thoughts(layerOf(replace('a2', 1)))).toEqual(['before 1', 'behind 1', 'before 2']);
    expect(thoughts(layerOf(replace('u2')))).toEqual(['before 1', 'behind 1']);
  });

  it('of a fold: all behind it', () => {
    expect(thoughts(layerOf(fold('u2', 'u2')))).toEqual(['before 1', 'behind 1']);
    expect(thoughts(layerOf(fold('u1', 'a1')))).toEqual([]);
  });

  it('of what is put behind a message: none of that message, all of later ones', () => {
    expect(thoughts(layerOf(replace('a3', 1), insert('a2')))).toEqual(['before 1', 'behind 1', 'before 2', 'behind 2']);
    // In the message that is changed too, the changed part is the earlier of both.
    expect(thoughts(layerOf(insert('a2'), replace('a2', 1)))).toEqual(['before 1', 'behind 1', 'before 2']);
    expect(thoughts(layerOf(replace('a2', 1), insert('a2')))).toEqual(['before 1', 'behind 1', 'before 2']);
  });

  it('the first counts by place, then by part, whatever the order in which it was decided', () => {
    const early = replace('a1', 1);
    const late = replace('a3', 1);
    expect(thoughts(layerOf(early, late))).toEqual(['before 1']);
    expect(thoughts(layerOf(late, early))).toEqual(['before 1']);
    expect(thoughts(layerOf(late), layerOf(early))).toEqual(['before 1']);
    expect(thoughts(layerOf(early), layerOf(late))).toEqual(['before 1']);
    // A later message does not count as earlier for an earlier part.
    expect(thoughts(layerOf(early, replace('u3')))).toEqual(['before 1']);
  });

  it('without a change nothing goes, and the last step is not even taken', () => {
    expect(thoughts(layerOf())).toHaveLength(6);
    expect(walked(layerOf()).visits.map((visit) => visit.layer)).toEqual(['mine']);
    expect(layersIn(walked(layerOf(replace('a2', 1))))).toEqual(['mine', 'drop-old-reasoning']);
  });
});
