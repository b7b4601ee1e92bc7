import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  dropOldestRounds,
  type JournalRecord,
  type Layer,
  type Message,
  result,
  results,
  type SessionOptions,
  text,
  user,
} from '../../src/index.ts';
import { textOf } from '../texts.ts';

const rule = 'Never touch the vault, whatever happens.';
const request = 'Compare the totals of both tables now, please.';

/** Hides all but the last message behind one of so many characters, whenever there is more. */
const eraser = (chars: number): Layer => ({
  name: 'eraser',
  decide(look) {
    const [first, last] = [look.slots[0], look.slots.at(-2)];
    if (first === undefined || last === undefined || look.slots.length < 4 || look.hasOpenCalls) return { edits: [] };
    const ref = look.ref(0);
    const made: Message = { id: `x-${ref}`, role: 'user', origin: 'palimpsest', parts: [text('x '.repeat(chars / 2))] };
    const [from, to] = [look.original(first).id, look.behind(last, last).at(-1)?.id ?? ''];
    return { edits: [{ type: 'fold', ref, from, to, hides: { messages: 1, bytes: 1 }, messages: [made] }] };
  },
});

const erased = async (chars: number, more: Partial<SessionOptions> = {}) => {
  const session = createSession({ window: 8_000, layers: [eraser(chars), dropOldestRounds()], ...more });
  session.append(user(rule, 'rule'));
  session.append(assistant(`Understood. ${'I shall mind it. '.repeat(200)}`));
  session.append(user('Read both tables first.', 'words'));
  session.append(assistant(`I read them. ${'Row after row. '.repeat(2_000)}`));
  session.append(user(request, 'request'));
  session.append(assistant('I compare them.'));
  return session;
};

describe("the user's rules and newest request stand in every view word for word, or are named", () => {
  it('whatever a layer hid comes back beside all else where there is room, in the order it was said', async () => {
    const session = await erased(200);
    const view = await session.view();
    const seen = textOf(view.messages);
    expect([rule, 'Read both tables first.', request].map((words) => seen.indexOf(words)).every((at) => at > 0)).toBe(
      true,
    );
    expect(seen.indexOf(rule)).toBeLessThan(seen.indexOf(request));
    expect(view.unheld).toBeUndefined();
    expect(view.receipt).toMatchObject({ declared: true });
    const again = await session.view();
    expect(again.messages).toEqual(view.messages);
    expect(again.receipt).toBeUndefined();
  });

  it('in the place of the oldest where there is no room beside them', async () => {
    const ways = new Set<boolean>();
    for (let chars = 8_000; chars < 13_400; chars += 200) {
      const view = await (await erased(chars)).view();
      const seen = textOf(view.messages);
      for (const words of [rule, request]) expect(seen).toContain(words);
      expect(view.fits).toBe(true);
      ways.add(seen.includes('x x x'));
    }
    expect(ways).toEqual(new Set([true, false]));
  });

  it('what fits nowhere is named, can be recalled, and is told by the status of a session that is loaded again', async () => {
    const records: JournalRecord[] = [];
    const journal = {
      append: async (more: readonly JournalRecord[]) => void records.push(...more),
      close: async () => {},
    };
    const options = { window: 900, system: 'Mind this. '.repeat(250) };
    const session = createSession({ ...options, journal });
    const long = `Never ${'touch this or that or anything '.repeat(10)}in the vault.`;
    session.append(user(long, 'rule'));
    for (let i = 0; i < 6; i++) {
      session.append(assistant(`Answer ${i}. ${'So it is. '.repeat(30)}`));
      session.append(user(`And now number ${i}, please, as before.`));
      await session.view();
    }
    const view = await session.view();
    expect(textOf(view.messages)).not.toContain(long);
    expect(view.unheld).toEqual({ messages: ['rule'], why: 'no-room' });
    expect(textOf(session.recall.read('rule').messages)).toContain(long);
    await session.saved();
    expect(createSession({ ...options, records }).status()).toEqual(session.status());
    expect(session.status().unheld).toEqual(view.unheld);
  });

  it('what had no room by a report that the compaction voids is in the view that comes of it', async () => {
    const session = createSession({ window: 11_200, system: 'Mind this. '.repeat(800) });
    session.append(user(rule, 'rule'));
    for (let i = 0; i < 8; i++) {
      session.append(assistant(`Answer ${i}. ${'So it is. '.repeat(20)}`));
      session.append(user(`Now do number ${i} as before, please, and mind it.`));
    }
    await session.view();
    session.observe({ input: 11_000 });
    session.append(assistant('Done.'));
    session.append(user('Go on.'));
    const view = await session.view();
    expect(view.receipt).toBeDefined();
    expect(textOf(view.messages)).toContain(rule);
    expect(view.unheld).toBeUndefined();
    session.undo();
    expect(session.receipts()).toEqual([]);
  });

  it('a newest request longer than the words of the user may be is told by head and tail, and named', async () => {
    const session = createSession({ window: 8_000 });
    session.append(user(rule, 'rule'));
    session.append(assistant('Understood.'));
    session.append(user(`Look at this: ${'2026-01-01 12:00:00 it happened. '.repeat(350)}and tell me why.`, 'log'));
    for (let i = 0; i < 20; i++) {
      session.append(assistant([call(`c${i}`, 'read', { path: `f${i}` })]));
      session.append(results([result(`c${i}`, `line ${i}\n`.repeat(200))]));
      const view = await session.view();
      expect(textOf(view.messages)).toContain(rule);
      expect(view.unheld ?? { messages: ['log'], why: 'too-long' }).toEqual({ messages: ['log'], why: 'too-long' });
    }
    expect(session.status().unheld).toEqual({ messages: ['log'], why: 'too-long' });
    const seen = textOf((await session.view()).messages);
    for (const end of ['Look at this: ', 'and tell me why.']) expect(seen).toContain(end);
  });

  it('what a small window could not hold comes back in a larger one, once', async () => {
    const session = createSession({ window: 900, system: 'Mind this. '.repeat(250) });
    const words = `Never ${'touch this or that or anything '.repeat(10)}in the vault.`;
    session.append(user(words, 'rule'));
    for (let i = 0; i < 6; i++) {
      session.append(assistant(`Answer ${i}. ${'So it is. '.repeat(30)}`));
      session.append(user(`And now number ${i}, please, as before.`));
      await session.view();
    }
    expect(session.status().unheld).toBeDefined();
    const view = await session.switchTo({ window: 20_000 });
    expect(textOf(view.messages)).toContain(words);
    expect(view.unheld).toBeUndefined();
    expect((await session.view()).messages).toEqual(view.messages);
  });
});
