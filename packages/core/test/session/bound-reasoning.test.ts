import { describe, expect, it } from 'vitest';
import {
  assistant,
  budget,
  call,
  createSession,
  emptyLedger,
  type Message,
  type NewMessage,
  type Part,
  partText,
  plan,
  reasoning,
  result,
  results,
  type Session,
  type SessionOptions,
  text,
  user,
} from '../../src/index.ts';
import { good } from '../summarizers.ts';

const bound = { reasoning: 'bound', nativeEditing: false } as const;
const free = { reasoning: 'free', nativeEditing: false } as const;
const open = (more: Partial<SessionOptions> = {}): Session =>
  createSession({ window: 20_000, maxOutput: 100, wire: bound, drafts: false, ...more });

const redacted = (signature: string): Part => ({
  type: 'reasoning',
  text: '',
  signature,
  native: { any: { redacted: true } },
});
const nativeThought = (data: string): Part => ({
  type: 'native',
  wire: 'anthropic-messages',
  block: { type: 'redacted_thinking', data },
});
const long = (words: string, times = 60): string => `${words} `.repeat(times);

/** One model call: the view before it, its answer, and the results of its call. */
async function round(session: Session, n: number, thought: Part = reasoning('Hm.', `s${n}`)): Promise<string> {
  session.append(user(long(`Turn ${n}: do this.`)));
  await session.view();
  const id = session.append(
    assistant([thought, text(`Working on ${n}.`), call(`c${n}`, 'read_file', { path: `f${n}` })]),
  );
  session.append(results([result(`c${n}`, long('A line of it.'))]));
  return id;
}
const shown = async (session: Session): Promise<readonly Message[]> => (await session.view()).messages;
const bytes = async (session: Session): Promise<string> => JSON.stringify(await shown(session));
const thoughtsIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) => [...JSON.stringify(part).matchAll(/"(?:signature|data)":"(s\d+)"/g)].map(([, id]) => id!)),
  );

describe('thoughts bound to what stands before them, as long as nothing before them changes', () => {
  it('all stay, also those of an answer in two messages, and behind calls that were closed with a notice', async () => {
    const session = open();
    await round(session, 1);
    await session.view();
    session.append(assistant([reasoning('One.', 's2'), text('First half.')]));
    session.append(assistant([reasoning('Two.', 's3'), text('Second half.'), call('x', 'bash', {})]));
    // The call is still in flight: the model sees a notice in the place of its result.
    expect(thoughtsIn(await shown(session))).toEqual(['s1', 's2', 's3']);
    const mended = open({
      broken: 'mend',
      records: session.transcript().map((message) => ({ v: 1, type: 'message', message })),
    });
    await mended.view();
    mended.append(assistant([reasoning('Three.', 's4'), text('Without waiting.')]));
    expect(thoughtsIn(await shown(mended))).toEqual(['s1', 's2', 's3', 's4']);
    expect(mended.receipts()).toEqual([]);
  });

  it('all stay in a history that comes as it is, and in a plan that is made call by call', () => {
    const history: NewMessage[] = [user('go')];
    let ledger = emptyLedger;
    for (let n = 1; n < 6; n++) {
      const planned = plan(history, ledger, { budget: budget({ window: 1e6 }), wire: bound });
      expect(thoughtsIn(planned.view)).toHaveLength(n - 1);
      ledger = planned.ledger;
      history.push(assistant([reasoning('Hm.', `s${n}`), text('so')]), user('and then?'));
    }
    expect(thoughtsIn(plan(history, emptyLedger, { budget: budget({ window: 1e6 }), wire: bound }).view)).toHaveLength(
      5,
    );
  });
});

describe('thoughts bound to what stands before them, where that has changed', () => {
  it.each([
    ['of no words', (n: number) => reasoning('', `s${n}`)],
    ['redacted', (n: number) => redacted(`s${n}`)],
    ['in a block that the vocabulary does not model', (n: number) => nativeThought(`s${n}`)],
  ])('go even if that frees nothing: %s', async (_, thought) => {
    const session = open();
    for (let n = 1; n < 12; n++) await round(session, n, thought(n));
    expect(thoughtsIn(await shown(session))).toHaveLength(11);
    await session.compact();
    expect(thoughtsIn(await shown(session))).toEqual([]);
  });

  it('go out of pinned messages too: their words stay, and the receipt names them', async () => {
    const session = open();
    const ids: string[] = [];
    for (let n = 1; n < 12; n++) ids.push(await round(session, n));
    session.pin(ids[1]!);
    const receipt = await session.compact();
    const messages = await shown(session);
    expect(messages.find(({ id }) => id === ids[1])?.parts.map(partText)).toEqual(['Working on 2.', '{"path":"f2"}']);
    expect(receipt?.pinsBounded).toEqual([ids[1]]);
    const line = receipt?.lines.find(({ kind }) => kind === 'reasoning');
    expect(line?.refs.map((ref) => session.recall.read(ref).text)).toContain('Hm.');
    expect(session.recall.read(ids[1]!).text).toContain('Hm.');
  });

  it('go with their message where it has nothing else to say', async () => {
    const session = open();
    for (let n = 1; n < 12; n++) await round(session, n);
    await session.view();
    const id = session.append(assistant([reasoning('cut off', 's99')]));
    session.append(user('go on'));
    expect(thoughtsIn(await shown(session))).toContain('s99');
    await session.compact();
    expect((await shown(session)).map((message) => message.id)).not.toContain(id);
    session.undo();
    expect(thoughtsIn(await shown(session))).toContain('s99');
  });

  it('go where the user spoke before the answer came, since it was made without those words', async () => {
    const session = open();
    await round(session, 1);
    await session.view();
    session.append(user('and mind this'));
    session.append(assistant([reasoning('Hm.', 's2'), text('so')]));
    expect(thoughtsIn(await shown(session))).toEqual(['s1']);
  });

  it('go where a compaction or an undo came between the request and its answer', async () => {
    for (const between of ['compact', 'undo'] as const) {
      const session = open();
      for (let n = 1; n < 12; n++) await round(session, n);
      if (between === 'undo') await session.compact();
      await session.view();
      if (between === 'compact') await session.compact();
      else session.undo();
      session.append(assistant([reasoning('late', 's99'), text('so')]));
      expect(thoughtsIn(await shown(session))).not.toContain('s99');
    }
  });

  it('go where the answer came while a hook was heard after the compaction', async () => {
    let late: (() => void) | undefined;
    const session = open({
      ports: {
        hooks: {
          async after() {
            late?.();
            return { context: 'The host has this to add.' };
          },
        },
      },
    });
    for (let n = 1; n < 12; n++) await round(session, n);
    await session.view();
    late = () => void session.append(assistant([reasoning('late', 's99'), text('so')]));
    const { messages } = await session.switchTo({ window: 3_000 });
    expect(JSON.stringify(messages)).toContain('The host has this to add.');
    expect(session.transcript().at(-1)?.parts).toHaveLength(2);
    expect(messages.findLast(({ role }) => role === 'assistant')?.parts).toEqual([text('so')]);
  });

  it('go where a wire that does not bind gives way to one that does', async () => {
    const session = open({ wire: free });
    for (let n = 1; n < 12; n++) await round(session, n);
    await session.compact({ keepMessages: 20 });
    await round(session, 12);
    await round(session, 13);
    const before = thoughtsIn(await shown(session));
    expect(before).toContain('s11');
    const after = thoughtsIn((await session.switchTo({ window: 20_000, wire: bound })).messages);
    // What came before the first that goes, and nothing behind it.
    expect(after).toEqual([]);
  });
});

describe('undo, where thoughts are bound', () => {
  it('brings back the earlier view but for thoughts that were made behind what it took back, and says so', async () => {
    const session = open();
    for (let n = 1; n < 12; n++) await round(session, n);
    const before = await shown(session);
    await session.compact();
    await round(session, 12);
    await round(session, 13);
    session.undo();
    const { messages, receipt } = await session.view();
    expect(JSON.stringify(messages.slice(0, before.length))).toBe(JSON.stringify(before));
    expect(thoughtsIn(messages)).toEqual(thoughtsIn(before));
    expect(receipt?.lines).toMatchObject([{ layer: 'drop-old-reasoning', kind: 'reasoning', count: 2 }]);
    expect(receipt?.lines[0]?.refs.map((ref) => session.recall.read(ref).text)).toEqual(['Hm.', 'Hm.']);
    // From here on the prefix stands still again.
    await round(session, 14);
    const after = await shown(session);
    expect(JSON.stringify(after.slice(0, messages.length))).toBe(JSON.stringify(messages));
    expect(thoughtsIn(after).at(-1)).toBe('s14');
  });

  it('a second undo takes back the compaction before, not what only unbound thoughts', async () => {
    const session = open();
    for (let n = 1; n < 12; n++) await round(session, n);
    await session.compact();
    for (let n = 12; n < 20; n++) await round(session, n);
    await session.compact();
    await round(session, 20);
    expect(session.undo().walk).toBe(2);
    expect((await session.view()).receipt).toBeDefined();
    expect(session.undo().walk).toBe(1);
    await session.view();
    expect(() => session.undo()).toThrow(expect.objectContaining({ code: 'nothing-to-undo' }));
    expect(thoughtsIn(await shown(session))).toEqual(Array.from({ length: 11 }, (_, i) => `s${i + 1}`));
  });

  it('no summarizer is shown them either, before the next view is made', async () => {
    const summarizer = good();
    const session = open({ ports: { summarizer: { ...summarizer, sharesPrefix: true } } });
    for (let n = 1; n < 12; n++) await round(session, n);
    await session.compact();
    await round(session, 12);
    session.undo();
    const asked = summarizer.requests.length;
    await session.compact();
    expect(summarizer.requests.length).toBeGreaterThan(asked);
    const requests = JSON.stringify(summarizer.requests.slice(asked));
    expect(requests).toContain('Working on 12.');
    expect(requests).not.toContain('"s12"');
  });

  it('the very view before a compaction comes back where nothing was said since', async () => {
    const session = open();
    for (let n = 1; n < 12; n++) await round(session, n);
    const before = await bytes(session);
    await session.compact();
    expect(await bytes(session)).not.toBe(before);
    session.undo();
    expect(await bytes(session)).toBe(before);
  });
});
