import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type Edit,
  type FoldEdit,
  type Layer,
  type NewMessage,
  presets,
  type Receipt,
  reasoning,
  result,
  results,
  text,
  user,
} from '../../src/index.ts';
import { picture, round } from '../support/walks.ts';
import { textOf } from '../texts.ts';

const history: readonly NewMessage[] = [
  user([text('look at this, it is a picture'), picture('p.png')], 'u1'),
  assistant(
    [reasoning('hm, hm, hm'), call('x', 'bash', { command: 'run it all' }), call('y', 'read', { path: 'a' })],
    'a1',
  ),
  results([result('x', [text('twelve bytes'), picture('q.png')])], 'r1'),
  results([result('y', 'ümläut in the text')], 'r2'),
  assistant('an answer of some length, to be hidden', 'a2'),
  user('words of the user, to be hidden', 'u2'),
  assistant('the last answer', 'a3'),
];
const layerOf = (name: string, ...edits: readonly Edit[]): Layer => ({
  name,
  decide: (look) => ({ edits: edits.map((edit, i) => ({ ...edit, ref: look.ref(i) })) }),
});
const fold = (from: string, to: string, more: Partial<FoldEdit> = {}): FoldEdit => ({
  type: 'fold',
  ref: '',
  from,
  to,
  messages: [],
  hides: { messages: 2, bytes: 70 },
  ...more,
});
async function receiptFor(layers: readonly Layer[], pins: readonly string[] = []): Promise<Receipt> {
  const session = createSession({ window: 100_000, layers });
  for (const message of history) session.append(message);
  for (const id of pins) session.pin(id);
  return (await session.view()).receipt!;
}

describe('receipts', () => {
  it('count what was hidden once, however often it is folded again, and a notice names all that it stands for', async () => {
    const session = createSession({ window: 12_000, maxOutput: 200 });
    session.append(user('start'));
    for (let i = 0; i < 120; i++) {
      for (const message of round(`c${i}`, 'mcp__lab__probe', { i }, `value ${i} ${'steady '.repeat(60)}`))
        session.append(message);
      if (i === 20) session.pin(session.append(user('pinned words')));
      if (i % 10 === 0) await session.view();
    }
    const hidden = session
      .receipts()
      .flatMap((receipt) => receipt.lines)
      .filter((line) => line.kind === 'messages')
      .reduce((sum, line) => sum + line.count, 0);
    const { messages } = await session.view();
    expect(hidden).toBeLessThanOrEqual(session.transcript().length);
    // What the view names is enough to read everything that it does not show.
    const reached = new Set(messages.map((message) => message.id));
    for (const [, ref] of textOf(messages).matchAll(/recall (e\d+(?: to e\d+)?)/g))
      for (const message of session.recall.read(ref!).messages) reached.add(message.id);
    expect(session.transcript().filter((message) => !reached.has(message.id))).toEqual([]);
  });

  it('have a line a layer, kind and tool, with counts, bytes of the originals and references', async () => {
    const receipt = await receiptFor([
      layerOf(
        'one',
        { type: 'drop', ref: '', message: 'a1', part: 0 },
        { type: 'shorten', ref: '', message: 'a1', part: 1, input: {} },
        { type: 'replace', ref: '', message: 'u1', part: 1, excerpt: ['-'] },
      ),
      layerOf(
        'two',
        { type: 'replace', ref: '', message: 'r1', part: 0, piece: 1, excerpt: ['-'] },
        { type: 'replace', ref: '', message: 'r2', part: 0, excerpt: ['-'], stash: 'box' },
        { type: 'replace', ref: '', message: 'a2', part: 0, excerpt: ['-'] },
        { type: 'replace', ref: '', message: 'u2', part: 0, excerpt: ['-'] },
      ),
    ]);
    const line = (layer: string, kind: string, bytes: number, refs: string[], more = {}) => ({
      layer,
      kind,
      count: refs.length,
      bytes,
      refs,
      stashed: [],
      ...more,
    });
    expect(receipt.lines).toEqual([
      line('one', 'reasoning', 'hm, hm, hm'.length, ['e1']),
      // As JSON writes it, with its quotes escaped.
      line('one', 'call', JSON.stringify('{"command":"run it all"}').length - 2, ['e2'], { tool: 'bash' }),
      line('one', 'media', 2_000, ['e3']),
      line('two', 'media', 2_000, ['e4'], { tool: 'bash' }),
      line('two', 'result', 20, ['e5'], { tool: 'read', stashed: ['box'] }),
      line('two', 'text', 38 + 31, ['e6', 'e7']),
    ]);
    expect(receipt).toMatchObject({ walk: 1, trigger: 'auto', declared: false, pinsBounded: [], flagged: [] });
    expect(receipt.tokensAfter).toBeLessThan(receipt.tokensBefore);
    expect(receipt).not.toHaveProperty('reason');
  });

  it('results of two tools have a line each; what is of no tool names none; a picture by its address has no bytes', async () => {
    const layer = layerOf(
      'mine',
      { type: 'replace', ref: '', message: 'r1', part: 0, excerpt: ['-'] },
      { type: 'replace', ref: '', message: 'r2', part: 0, excerpt: ['-'] },
      { type: 'replace', ref: '', message: 'u2', part: 0, excerpt: ['-'] },
    );
    const { lines } = await receiptFor([layer]);
    expect(lines.map((line) => [line.kind, line.tool, line.refs])).toEqual([
      ['result', 'bash', ['e1']],
      ['result', 'read', ['e2']],
      ['text', undefined, ['e3']],
    ]);
    expect(lines[2]).not.toHaveProperty('tool');
    const session = createSession({
      window: 100_000,
      layers: [layerOf('mine', { type: 'replace', ref: '', message: 'p', part: 0, excerpt: ['-'] })],
    });
    session.append(user([{ type: 'media', kind: 'image', mediaType: 'image/png', url: 'https://a.b/c.png' }], 'p'));
    expect((await session.view()).receipt!.lines).toMatchObject([{ kind: 'media', bytes: 0 }]);
  });

  it('state the tokens before the first layer and after the last, and whether any of them changed what was seen', async () => {
    const changing = (name: string, message: string): Layer => {
      return layerOf(name, { type: 'replace', ref: '', message, part: 0, excerpt: ['-'] });
    };
    let layers: readonly Layer[] = [];
    const session = createSession({
      window: 100_000,
      layers: [0, 1].map((i) => ({ name: `layer ${i}`, decide: (look) => layers[i]?.decide(look) ?? { edits: [] } })),
    });
    for (const message of history) session.append(message);
    await session.view();
    const before = session.status().tokens;
    session.append(user('fresh words, to be hidden at once', 'u3'));
    const grown = session.status().tokens;
    layers = [changing('one', 'u3'), changing('two', 'a2')];
    const receipt = (await session.view()).receipt!;
    expect(receipt.declared).toBe(true);
    expect(receipt.tokensBefore).toBe(grown);
    expect(receipt.tokensAfter).toBe(session.status().tokens);
    expect(receipt.tokensAfter).toBeLessThan(before);
  });

  it('whole spans are counted as the fold says, attachments by their messages', async () => {
    const note = { id: 'n', role: 'user', origin: 'palimpsest', parts: [text('-')] } as const;
    const receipt = await receiptFor([
      layerOf('mine', fold('a2', 'u2'), { type: 'insert', ref: '', after: 'a3', messages: [note] }),
    ]);
    expect(receipt.lines).toMatchObject([
      { kind: 'messages', count: 2, bytes: 70, refs: ['e1'] },
      { kind: 'attachment', count: 1, bytes: 0, refs: ['e2'] },
    ]);
    expect(receipt.flagged).toEqual([]);
  });

  it('reasons of all layers are told, and what a summary claimed without ground', async () => {
    const reasoned = (layer: Layer, reason: string): Layer => ({
      name: layer.name,
      decide: (look) => ({ ...layer.decide(look), reason }),
    });
    const receipt = await receiptFor([
      reasoned(layerOf('one', { type: 'replace', ref: '', message: 'a2', part: 0, excerpt: ['-'] }), 'first'),
      layerOf('two', fold('u2', 'u2', { summary: { of: 'history', by: 'model', flagged: ['x.ts'] } })),
      reasoned(layerOf('three', { type: 'replace', ref: '', message: 'a3', part: 0, excerpt: ['-'] }), 'second'),
    ]);
    expect(receipt.reason).toBe('first; second');
    expect(receipt.flagged).toEqual(['x.ts']);
  });

  it('pins that were cut or hidden are named; those that a fold shows as they are, are not', async () => {
    const cutting = layerOf('mine', { type: 'replace', ref: '', message: 'a2', part: 0, excerpt: ['-'] });
    expect((await receiptFor([cutting], ['a2', 'u2'])).pinsBounded).toEqual(['a2']);
    expect((await receiptFor([layerOf('mine', fold('a2', 'u2'))], ['u2', 'a3'])).pinsBounded).toEqual(['u2']);
    const shown = { id: 'u2', role: 'user', origin: 'human', parts: history[5]!.parts } as const;
    const keeping = layerOf('mine', fold('a2', 'u2', { messages: [shown] }));
    expect((await receiptFor([keeping], ['u2'])).pinsBounded).toEqual([]);
    expect((await receiptFor([keeping], ['u2', 'a2'])).pinsBounded).toEqual(['a2']);
  });

  it('stand as long as their walk does: undo takes one away', async () => {
    let next = layerOf('one', { type: 'replace', ref: '', message: 'a2', part: 0, excerpt: ['-'] });
    const session = createSession({
      window: 100_000,
      layers: [{ name: 'mine', decide: (look) => next.decide(look) }],
    });
    for (const message of history) session.append(message);
    await session.view();
    next = layerOf('two', { type: 'replace', ref: '', message: 'u2', part: 0, excerpt: ['-'] });
    await session.view();
    expect(session.receipts().map((receipt) => receipt.walk)).toEqual([1, 2]);
    expect(session.undo().walk).toBe(2);
    expect(session.receipts().map((receipt) => receipt.walk)).toEqual([1]);
    next = layerOf('none');
    expect(textOf((await session.view()).messages.slice(4, 6))).toBe('-\nwords of the user, to be hidden');
  });
});

describe('a receipt of a preset that goes on by itself', () => {
  it('says that the model was told to, behind an automatic compaction and no other', async () => {
    const session = createSession({ window: 16_000, layers: presets['open-code']() });
    for (let i = 0; i < 60; i++) {
      session.append(user(`Step ${i}: ${'look at it again and say what is there. '.repeat(20)}`));
      await session.view();
      session.append(assistant(`Done ${i}.`));
    }
    const [first] = session.receipts().filter(({ summary }) => summary !== undefined);
    expect(first).toMatchObject({ trigger: 'auto', goesOn: true });
    const asked = await session.compact({ form: 'all' });
    expect(asked).toMatchObject({ trigger: 'manual' });
    expect(asked).not.toHaveProperty('goesOn');
  });
});
