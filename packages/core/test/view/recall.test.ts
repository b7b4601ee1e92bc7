import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type Edit,
  type Layer,
  result,
  results,
  type Session,
  text,
  user,
} from '../../src/index.ts';
import { picture } from '../support/walks.ts';

async function hiding(...edits: readonly Edit[]): Promise<Session> {
  const layer: Layer = { name: 'mine', decide: (look) => ({ edits: look.slots.length === 6 ? edits : [] }) };
  const session = createSession({ window: 100_000, layers: [layer] });
  for (const message of [
    user('first words of the user', 'u1'),
    assistant([call('x', 'bash', { command: 'run' })], 'a1'),
    results([result('x', [text('output of it'), picture('p.png')])], 'r1'),
    assistant('a long answer\nwith the Needle in the second line \nand a third', 'a2'),
    user('second words, a needle too', 'u2'),
    assistant('last answer', 'a3'),
  ])
    session.append(message);
  await session.view();
  return session;
}
const fold = (ref: string, from: string, to: string): Edit => ({
  type: 'fold',
  ref,
  from,
  to,
  messages: [{ id: `palimpsest/${ref}`, role: 'user', origin: 'palimpsest', parts: [text('-')] }],
  hides: { messages: 1, bytes: 1 },
});

describe('recall reads what the view no longer shows', () => {
  it('by the reference of a part: its own text', async () => {
    const session = await hiding(
      { type: 'replace', ref: 'e1', message: 'r1', part: 0, piece: 1, excerpt: ['-'] },
      { type: 'replace', ref: 'e2', message: 'a2', part: 0, excerpt: ['-'] },
      { type: 'shorten', ref: 'e3', message: 'a1', part: 0, input: {} },
    );
    expect(session.recall.read('e1')).toMatchObject({ ref: 'e1', text: '[image: p.png]', messages: [{ id: 'r1' }] });
    expect(session.recall.read(' e2 ').text).toContain('with the Needle');
    expect(session.recall.read('e3').text).toBe('{"command":"run"}');
    const whole = await hiding({ type: 'replace', ref: 'e1', message: 'r1', part: 0, excerpt: ['-'] });
    expect(whole.recall.read('e1').text).toBe('output of it\n[image: p.png]');
  });

  it('by the id of a message as it was given, also where it is a reference but for a blank', async () => {
    const layer: Layer = {
      name: 'mine',
      decide: ({ slots }) => ({ edits: slots.length === 3 ? [fold('e1', 'a1', 'a1')] : [] }),
    };
    const session = createSession({ window: 100_000, layers: [layer] });
    for (const message of [user('words of the user', ' e1'), assistant('an answer', 'a1'), user('more', 'u2')])
      session.append(message);
    await session.view();
    expect(session.recall.read('e1').text).toContain('an answer');
    expect(session.recall.read(' e1').text).toContain('words of the user');
  });

  it('by the reference of a fold: all its messages, with who said them', async () => {
    const session = await hiding(fold('e1', 'a1', 'r1'), fold('e2', 'u2', 'u2'));
    expect(session.recall.read('e1').messages.map((message) => message.id)).toEqual(['a1', 'r1']);
    expect(session.recall.read('e1').text).toBe(
      'assistant (a1):\n{"command":"run"}\n\nuser (r1):\noutput of it\n[image: p.png]',
    );
    for (const range of ['e1 to e2', 'e1-e2', 'e1 – e2', 'e1..e2', 'e2 to e1'])
      expect(session.recall.read(range).messages.map((message) => message.id)).toEqual(['a1', 'r1', 'a2', 'u2']);
  });

  it('by references of several digits, with blanks around, and nothing but references', async () => {
    const shorter = Array.from({ length: 10 }, (_, i): Edit => {
      return { type: 'replace', ref: `e${i + 1}`, message: 'u1', part: 0, excerpt: ['-'] };
    });
    const session = await hiding(...shorter, fold('e11', 'a1', 'r1'), fold('e12', 'u2', 'u2'));
    for (const range of ['e11 to e12', ' e12-e11 '])
      expect(session.recall.read(range).messages.map((message) => message.id)).toEqual(['a1', 'r1', 'a2', 'u2']);
    for (const range of ['e11 to e12 please', 'e11 to e12x'])
      expect(() => session.recall.read(range)).toThrow(expect.objectContaining({ code: 'unknown-reference' }));
  });

  it('the parts of a message stand on lines of their own; a piece is one of a result only', async () => {
    const session = createSession({
      window: 100_000,
      layers: [
        {
          name: 'mine',
          decide: () => ({
            edits: [{ type: 'replace', ref: 'e1', message: 'u1', part: 0, piece: 1, excerpt: ['-'] }],
          }),
        },
      ],
    });
    session.append(user([text('first line'), text('second line')], 'u1'));
    await session.view();
    expect(session.recall.read('u1').text).toBe('user (u1):\nfirst line\nsecond line');
    expect(session.recall.read('e1').text).toBe('first line');
    expect(session.receipts()[0]!.lines).toMatchObject([{ kind: 'text', count: 1, bytes: 'first line'.length }]);
  });

  it('by the id of a message, hidden or not, and what was put into the view', async () => {
    const session = await hiding(fold('e1', 'a1', 'a2'), {
      type: 'insert',
      ref: 'e2',
      after: 'a3',
      messages: [{ id: 'n', role: 'user', origin: 'palimpsest', parts: [text('+')] }],
    });
    expect(session.recall.read('u2').text).toBe('user (u2):\nsecond words, a needle too');
    expect(session.recall.read('a2').messages).toHaveLength(1);
    expect(session.recall.read('e2').text).toBe('user (n):\n+');
  });

  it('what nobody knows is an error that says what to use', async () => {
    const session = await hiding(fold('e1', 'a1', 'r1'));
    for (const ref of ['e9', 'e1 to e9', 'nobody', 'xe1 to e1'])
      expect(() => session.recall.read(ref)).toThrow(
        expect.objectContaining({ code: 'unknown-reference', message: expect.stringContaining(JSON.stringify(ref)) }),
      );
    const part = await hiding({ type: 'replace', ref: 'e1', message: 'a2', part: 0, excerpt: ['-'] });
    expect(() => part.recall.read('e1 to e1')).toThrow(expect.objectContaining({ code: 'unknown-reference' }));
  });
});

describe('recall searches the whole transcript', () => {
  it('for passages, hidden or not, best first, with the line that answers best', async () => {
    const session = await hiding(fold('e1', 'a1', 'a2'));
    const found = session.recall.search('needle');
    expect(found.map(({ message, line }) => [message.id, line])).toEqual([
      ['u2', 'second words, a needle too'],
      ['a2', 'with the Needle in the second line'],
    ]);
    expect(session.recall.search('  NEEDLE   third ').map(({ message }) => message.id)).toEqual(['a2', 'u2']);
    expect(session.recall.search('needle nowhere')).toHaveLength(2);
    expect(session.recall.search('nowhere')).toEqual([]);
    expect(session.recall.search('third')[0]!.line).toBe('and a third');
    expect(session.recall.search('first')[0]!.line).toBe('first words of the user');
  });

  it('at most twenty, or as many as stated, page by page; nothing for no words', async () => {
    const session = createSession({ window: 100_000 });
    for (let i = 0; i < 25; i++) session.append(user(`needle ${i}`));
    expect(session.recall.search('needle')).toHaveLength(20);
    expect(session.recall.search('needle', 3).map(({ line }) => line)).toEqual(['needle 24', 'needle 23', 'needle 22']);
    expect(session.recall.search('needle', { limit: 2, offset: 3 }).map(({ line }) => line)).toEqual([
      'needle 21',
      'needle 20',
    ]);
    expect(session.recall.search('   ')).toEqual([]);
  });

  it('finds what was said since the last search', () => {
    const session = createSession({ window: 100_000 });
    session.append(user('the harbour opens at nine'));
    expect(session.recall.search('lighthouse')).toEqual([]);
    session.append(assistant('the lighthouse is out'));
    expect(session.recall.search('lighthouse')).toHaveLength(1);
  });
});
