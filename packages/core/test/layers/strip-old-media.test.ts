import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  type Layer,
  type Limits,
  type Message,
  type NewMessage,
  type Part,
  result,
  results,
  stripOldMedia,
  text,
  user,
} from '../../src/index.ts';
import { budgetOf, decided, editsOf, entriesOf, inChars, picture, pressedTo, walkWith } from '../support/walks.ts';

const shown = (n: number): readonly NewMessage[] =>
  Array.from({ length: n }, (_, i) => [
    user([text(`look ${i}`), picture(`p${i}`)], `u${i}`),
    assistant(`seen ${i}`, `a${i}`),
  ]).flat();
/** The names of the pictures that a view still shows, wherever they stand. */
const left = (view: readonly Message[]): readonly string[] =>
  view.flatMap((message) =>
    message.parts
      .flatMap((part): readonly Part[] => (part.type === 'result' ? part.content : [part]))
      .flatMap((part) => (part.type === 'media' ? [part.name!] : [])),
  );
const limited = (limits: Limits) => ({ ...inChars, budget: budgetOf({ limits }) });

describe('strip-old-media: old pictures and documents give way to markers', () => {
  it('over the limit of images the oldest go, down to three quarters of it', () => {
    const made = walkWith(shown(9), [stripOldMedia()], limited({ images: 8 }));
    expect(left(made.view)).toEqual(['p3', 'p4', 'p5', 'p6', 'p7', 'p8']);
    expect(made.view[0]!.parts[1]).toEqual(text('[image: p0] (removed to save space; recall e1)'));
    expect(entriesOf(made)[0]).toMatchObject({ layer: 'strip-old-media', pressed: true });
    expect(editsOf(walkWith(shown(8), [stripOldMedia()], limited({ images: 8 })))).toEqual([]);
  });

  it('without pressure and without a limit of their side nothing goes', () => {
    expect(editsOf(walkWith(shown(9), [stripOldMedia()], inChars))).toEqual([]);
    expect(editsOf(walkWith(shown(9), [stripOldMedia()], limited({ images: 100, bytes: 1e9 })))).toEqual([]);
  });

  it('under pressure of tokens or bytes as many go as it takes, and no more', () => {
    const whole = 4 * (6 + 1_000 + 6);
    const marker = '[image: p0] (removed to save space; recall e1)'.length;
    const tight = (over: number) =>
      left(walkWith(shown(4), [stripOldMedia()], { ...inChars, budget: pressedTo(whole - over) }).view);
    expect(tight(1_000 - marker)).toEqual(['p1', 'p2', 'p3']);
    expect(tight(1_001 - marker)).toEqual(['p2', 'p3']);
    const bytes = walkWith(shown(9), [stripOldMedia()], limited({ bytes: 16_000 }));
    expect(left(bytes.view)).toEqual(['p5', 'p6', 'p7', 'p8']);
  });

  it('those of the newest message of the user go last', () => {
    const history = [
      user([text('look'), picture('first')], 'u0'),
      assistant([call('x', 'view', { path: 'a' })]),
      results([result('x', [text('there'), picture('tool-1'), picture('tool-2')])], 'r0'),
    ];
    const names = (over: number) =>
      left(walkWith(history, [stripOldMedia()], { ...inChars, budget: pressedTo(3_000 + 22 - over) }).view);
    expect(names(900)).toEqual(['first', 'tool-2']);
    expect(names(1_800)).toEqual(['first']);
    expect(names(2_700)).toEqual([]);
    // A picture without a word is the user's too.
    const wordless = [
      user('look', 'u0'),
      assistant('at what?'),
      user([picture('shown')], 'u1'),
      assistant([call('x', 'view', { path: 'a' })]),
      results([result('x', [text('there'), picture('tool')])], 'r0'),
    ];
    expect(left(walkWith(wordless, [stripOldMedia()], { ...inChars, budget: pressedTo(1_500) }).view)).toEqual([
      'shown',
    ]);
  });

  it('a picture in a result leaves a marker in its place; the rest of the result stays', () => {
    const history = [
      user('look'),
      assistant([call('x', 'view', { path: 'a' })]),
      results([result('x', [text('above'), picture('a.png'), text('below'), picture('b.png')])], 'r0'),
    ];
    const made = walkWith(history, [stripOldMedia()], { ...inChars, budget: pressedTo(1) });
    expect(made.view[2]!.parts[0]).toMatchObject({
      content: [
        text('above'),
        text('[image: a.png] (removed to save space; recall e1)'),
        text('below'),
        text('[image: b.png] (removed to save space; recall e2)'),
      ],
    });
    expect(editsOf(made)).toMatchObject([
      { type: 'replace', message: 'r0', part: 0, piece: 1 },
      { type: 'replace', message: 'r0', part: 0, piece: 3 },
    ]);
    expect(editsOf(walkWith(shown(1), [stripOldMedia()], { ...inChars, budget: pressedTo(1) }))[0]).not.toHaveProperty(
      'piece',
    );
  });

  it('documents go as pictures do, with a marker of their kind', () => {
    const history = [user([text('read it'), picture('plan.pdf', { kind: 'document' })]), assistant('read')];
    const { view } = walkWith(history, [stripOldMedia()], { ...inChars, budget: pressedTo(1) });
    expect(view[0]!.parts[1]).toEqual(text('[document: plan.pdf] (removed to save space; recall e1)'));
  });

  it('what a fold shows is left to the layer that made it', () => {
    const folding: Layer = {
      name: 'mine',
      decide: (look) => ({
        edits: [
          {
            type: 'fold',
            ref: look.ref(0),
            from: 'u0',
            to: 'a0',
            messages: [{ id: 'n', role: 'user', origin: 'palimpsest', parts: [picture('kept')] }],
            hides: { messages: 2, bytes: 1 },
          },
        ],
      }),
    };
    const made = walkWith(shown(2), [folding, stripOldMedia()], { ...inChars, budget: pressedTo(1) });
    expect(left(made.view)).toEqual(['kept']);
  });

  it('pins stay', () => {
    const made = walkWith(shown(3), [stripOldMedia()], {
      ...inChars,
      budget: pressedTo(1),
      ledger: decided({ pins: ['u1'] }),
    });
    expect(left(made.view)).toEqual(['p1']);
  });

  it('a picture wider or higher than the wire takes goes as it comes, whatever the pressure', () => {
    const sized = (width: number, height: number): readonly NewMessage[] => [
      user([text('look'), picture('big', { width, height })]),
      assistant('ok'),
    ];
    const names = (width: number, height: number) =>
      left(walkWith(sized(width, height), [stripOldMedia()], limited({ imageSide: 1_000 })).view);
    expect(names(1_000, 1_000)).toEqual(['big']);
    expect(names(1_001, 10)).toEqual([]);
    expect(names(10, 1_001)).toEqual([]);
    const unknown = [user([text('look'), { ...picture('p'), width: undefined as never, height: undefined as never }])];
    expect(left(walkWith(unknown, [stripOldMedia()], limited({ imageSide: 1_000 })).view)).toEqual(['p']);
  });

  it('what a model was shown is looked at again only under pressure, and then the wide ones go whatever is freed', () => {
    const wide = [user([text('look'), picture('wide', { width: 5_000 })]), ...shown(3)];
    const told = limited({ imageSide: 1_000 });
    expect(editsOf(walkWith(wide, [stripOldMedia()], { ...told, ledger: decided({ seen: 3 }) }))).toEqual([]);
    expect(editsOf(walkWith(wide, [stripOldMedia()], { ...told, ledger: decided({ seen: wide.length }) }))).toEqual([]);
    const pressed = walkWith([...shown(3), ...wide.slice(0, 1)], [stripOldMedia()], {
      ...inChars,
      budget: budgetOf({ limits: { imageSide: 1_000, images: 3 } }),
      ledger: decided({ seen: 7 }),
    });
    // Two must go for the number of images, and the wide one whatever that frees.
    expect(left(pressed.view)).toEqual(['p2']);
  });
});
