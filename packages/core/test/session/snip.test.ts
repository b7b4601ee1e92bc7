import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type JournalRecord,
  result,
  results,
  type Session,
  type SessionOptions,
  user,
} from '../../src/index.ts';
import { textOf } from '../texts.ts';

/** A request of the user's, then rounds of one call each: `a0` asks, `r0` answers. */
function work(session: Session, rounds: number): void {
  session.append(user('Find the slow query, and never touch the schema.', 'task'));
  for (let i = 0; i < rounds; i++) {
    session.append(assistant([call(`c${i}`, 'read', { path: `src/${i}.ts` })], `a${i}`));
    session.append(results([result(`c${i}`, `line of ${i}\n`.repeat(40))], `r${i}`));
  }
}

function open(options: Partial<SessionOptions> = {}) {
  const records: JournalRecord[] = [];
  const journal = {
    append: async (more: readonly JournalRecord[]) => void records.push(...more),
    close: async () => {},
  };
  return { records, session: createSession({ window: 200_000, journal, ...options }) };
}
const idsOf = async (session: Session) => (await session.view()).messages.map(({ id }) => id);

describe('CC37 S52: snip hides the middle that the model names, on its request', () => {
  it('from one message to another, with a receipt, a reference that recall reads, and an exact undo', async () => {
    const { session, records } = open();
    work(session, 6);
    const before = await session.view();
    const receipt = await session.snip({ from: 'a1', to: 'r3' });
    expect(receipt).toMatchObject({ trigger: 'tool', declared: true });
    expect(receipt.lines).toMatchObject([{ layer: 'snip-asked', kind: 'messages', count: 6, refs: ['e1'] }]);
    const { messages } = await session.view();
    expect(messages.map(({ id }) => id)).toEqual(['task', 'a0', 'r0', 'palimpsest/e1', 'a4', 'r4', 'a5', 'r5']);
    expect(textOf([messages[3]!])).toBe('[6 earlier messages are hidden here; recall e1]');
    expect(session.recall.read('e1').text).toContain('line of 2');
    const loaded = createSession({ window: 200_000, records });
    expect((await loaded.view()).messages).toEqual(messages);
    session.undo();
    expect((await session.view()).messages).toEqual(before.messages);
  });

  it('never parts calls from their results: half a round at an edge stays', async () => {
    const { session } = open();
    work(session, 6);
    await session.snip({ from: 'r1', to: 'a4' });
    expect(await idsOf(session)).toEqual(['task', 'a0', 'r0', 'a1', 'r1', 'palimpsest/e1', 'a4', 'r4', 'a5', 'r5']);
  });

  it('asked for by the model in the middle of its round, that round and its open call stay', async () => {
    const { session } = open();
    work(session, 4);
    session.append(assistant([call('s', 'snip', {}), call('t', 'read', { path: 'x' })], 'asking'));
    await session.snip({ keepFirst: 1, keepLast: 0 });
    session.append(results([result('s', 'done'), result('t', 'x')], 'answer'));
    expect(await idsOf(session)).toEqual(['task', 'palimpsest/e1', 'asking', 'answer']);
  });

  it('what the user typed inside stays where it stands, and pinned messages stay where they are', async () => {
    const { session } = open();
    work(session, 4);
    session.append(user('Mind the index on orders.', 'said'));
    session.append(assistant('I shall, and here is a long account of why. '.repeat(20), 'account'));
    session.pin('r2');
    await session.snip({ from: 'a0', to: 'account', trigger: 'manual' });
    const { messages } = await session.view();
    expect(messages.map(({ id }) => id)).toEqual([
      'task',
      'palimpsest/e1',
      'a2',
      'r2',
      'palimpsest/e2',
      'said',
      'palimpsest/e3',
    ]);
    expect(textOf(messages)).toContain('Mind the index on orders.');
  });

  it('without ends the first 3 and the last 47 stay; `keepFirst` and `keepLast` say otherwise', async () => {
    const { session } = open();
    work(session, 30);
    await session.snip();
    const shown = await idsOf(session);
    expect(shown).toHaveLength(52); // The round at the tail's edge stays whole.
    expect(shown.slice(0, 4)).toEqual(['task', 'a0', 'r0', 'palimpsest/e1']);
    await session.snip({ keepFirst: 1, keepLast: 4 });
    expect(await idsOf(session)).toEqual(['task', 'palimpsest/e2', 'a28', 'r28', 'a29', 'r29']);
  });

  it('where nothing can go it says why, by a code and in words, and changes nothing', async () => {
    const { session } = open();
    work(session, 6);
    const before = await session.view();
    await expect(session.snip()).rejects.toMatchObject({
      code: 'nothing-to-snip',
      message: expect.stringContaining('13 messages, of which the first 3 and the last 47 stay'),
    });
    await expect(session.snip({ from: 'r1', to: 'r1' })).rejects.toMatchObject({ code: 'nothing-to-snip' });
    await expect(session.snip({ from: 'task', to: 'task' })).rejects.toThrow('no larger than the notice');
    for (const id of ['a1', 'r1']) session.pin(id);
    await expect(session.snip({ from: 'a1', to: 'r1' })).rejects.toThrow('is pinned');
    await expect(session.snip({ from: 'nowhere' })).rejects.toMatchObject({ code: 'unknown-message' });
    await expect(session.snip({ upTo: 'r1' } as never)).rejects.toMatchObject({ code: 'bad-option' });
    expect((await session.view()).messages).toEqual(before.messages);
    expect(session.receipts()).toEqual([]);
    const helper = open({ subagent: true }).session;
    work(helper, 6);
    await expect(helper.snip({ from: 'a1', to: 'r3' })).rejects.toThrow('subagent');
    const off = open({ switches: { disabled: true } }).session;
    work(off, 6);
    await expect(off.snip({ from: 'a1', to: 'r3' })).rejects.toMatchObject({ code: 'disabled' });
  });

  it('what it freed is off the reported size at once', async () => {
    const { session } = open();
    work(session, 20);
    await session.view();
    session.observe({ input: 9_000 });
    const before = session.status().tokens;
    const receipt = await session.snip({ keepFirst: 1, keepLast: 2 });
    expect(receipt.tokensBefore).toBe(before);
    expect(session.status().tokens).toBeLessThan(before / 3);
  });
});
