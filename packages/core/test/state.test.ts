import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type JournalRecord,
  type Message,
  parseLedger,
  result,
  results,
  type Stash,
  switchesFrom,
  user,
} from '../src/index.ts';
import { long } from './texts.ts';

const memoryStash = (): Stash & { readonly puts: string[] } => {
  const puts: string[] = [];
  return { puts, put: async (text) => `s${puts.push(text)}`, get: async (ref) => puts[Number(ref.slice(1)) - 1] };
};

function recorder() {
  const records: JournalRecord[] = [];
  return {
    records,
    journal: { append: async (more: readonly JournalRecord[]) => void records.push(...more), close: async () => {} },
  };
}

const work = (session: ReturnType<typeof createSession>, rounds: number, size = 200): void => {
  for (let i = 0; i < rounds; i++) {
    session.append(assistant([call(`c${i}`, 'bash', { command: `step ${i}` })]));
    session.append(results([result(`c${i}`, long(`row${i}`, size))]));
  }
};

/** One result too large for its group, from a tool whose output is not capped. */
const dump = (session: ReturnType<typeof createSession>): void => {
  session.append(assistant([call('d', 'mcp__db__dump')]));
  session.append(results([result('d', long('row', 20_000))]));
};

describe('time, state, concurrency', () => {
  it('T1 an abort while a text is being saved leaves everything as it was, and a second call works', async () => {
    const stop = new AbortController();
    const stash = memoryStash();
    const hanging: Stash = {
      ...stash,
      put: () => new Promise((_, reject) => stop.signal.addEventListener('abort', () => reject(stop.signal.reason))),
    };
    let live: Stash = hanging;
    const session = createSession({
      window: 20_000,
      ports: { stash: { put: (text) => live.put(text), get: (ref) => live.get(ref) } },
    });
    session.append(user('go'));
    dump(session);
    const before = JSON.stringify(session.ledger());
    const pending = session.view({ signal: stop.signal });
    setTimeout(() => stop.abort(), 5);
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    expect(JSON.stringify(session.ledger())).toBe(before);
    live = stash;
    const { receipt } = await session.view();
    expect(receipt!.lines[0]!.stashed).toEqual(['s1']);
  });

  it('T2 views and compactions of one session wait for each other; undo during one is refused', async () => {
    const session = createSession({ window: 6_000, maxOutput: 100 });
    session.append(user('go'));
    work(session, 30);
    const made = [session.view(), session.compact(), session.view()];
    expect(() => session.undo()).toThrow(expect.objectContaining({ code: 'busy' }));
    await Promise.all(made);
    const walks = session.ledger().entries.flatMap((entry) => (entry.type === 'edits' ? [entry.walk] : []));
    expect(walks).toEqual([...walks].sort((a, b) => a - b));
    session.undo();
  });

  it('T3 messages appended while a need is being met are kept, after what was there', async () => {
    const stash = memoryStash();
    let release = (): void => {};
    let tellAsked = (): void => {};
    const asked = new Promise<void>((go) => {
      tellAsked = go;
    });
    const slow: Stash = {
      ...stash,
      put: async (text) => {
        await new Promise<void>((go) => {
          release = go;
          tellAsked();
        });
        return stash.put(text);
      },
    };
    const session = createSession({ window: 20_000, ports: { stash: slow } });
    session.append(user('go'));
    dump(session);
    const pending = session.view();
    await asked;
    session.append(user('typed meanwhile'));
    release();
    const { messages } = await pending;
    expect(messages.filter((message) => JSON.stringify(message).includes('typed meanwhile'))).toHaveLength(1);
    expect(messages.at(-1)!.parts).toEqual(user('typed meanwhile').parts);
  });

  it('T4 a journal that fails keeps the records and says so; the next call writes them once', async () => {
    const { records, journal } = recorder();
    let full = true;
    const session = createSession({
      window: 20_000,
      journal: {
        ...journal,
        append: async (more) => (full ? Promise.reject(new Error('no space left')) : journal.append(more)),
      },
    });
    session.append(user('precious'));
    await expect(session.view()).rejects.toMatchObject({ code: 'journal-failed' });
    full = false;
    await session.view();
    expect(records.filter((record) => record.type === 'message')).toHaveLength(1);
  });

  it('T4 whatever was said before saved() was called is in the journal when it resolves, at any moment of an earlier save', async () => {
    for (let ticks = 0; ticks < 8; ticks++) {
      const { records, journal } = recorder();
      const session = createSession({ window: 20_000, journal });
      session.append(user('one'));
      const earlier = session.saved();
      for (let i = 0; i < ticks; i++) await Promise.resolve();
      session.append(user('two'));
      await session.saved();
      expect(records.filter((record) => record.type === 'message')).toHaveLength(2);
      await earlier;
    }
  });

  it('a message that is not JSON is refused at once, and the session goes on', async () => {
    const { records, journal } = recorder();
    const session = createSession({ window: 20_000, journal });
    const round: Record<string, unknown> = {};
    round.self = round;
    for (const input of [round, 12n, { a: 1n }])
      expect(() => session.append(assistant([call('x', 'bash', input as never)], 'bad'))).toThrow(
        expect.objectContaining({ code: 'not-json', messageId: 'bad' }),
      );
    session.append(user('fine'));
    await session.view();
    expect(records.filter((record) => record.type === 'message')).toHaveLength(1);
  });

  it('T5 resumed from its records a session gives the same view byte for byte, and goes on as it would have', async () => {
    const { records, journal } = recorder();
    const options = { window: 9_000, maxOutput: 100, system: 'be brief' };
    const first = createSession({ ...options, journal });
    first.append(user('go'));
    for (let i = 0; i < 40; i++) {
      work(first, 1, 150);
      const { tokens } = await first.view();
      if (i % 3 === 0) first.observe({ input: Math.round(tokens * 1.1) });
    }
    first.undo();
    await first.saved();
    const second = createSession({ ...options, records: JSON.parse(JSON.stringify(records)) });
    expect(JSON.stringify((await second.view()).messages)).toBe(JSON.stringify((await first.view()).messages));
    for (const session of [first, second]) work(session, 20, 300);
    expect(JSON.stringify(await second.view())).toBe(JSON.stringify(await first.view()));
    expect(second.status()).toEqual(first.status());
  });

  it('T5 undo restores the exact earlier view, and it stays until the limit is near', async () => {
    const session = createSession({ window: 20_000, maxOutput: 100 });
    session.append(user('go'));
    work(session, 20, 300);
    const before = JSON.stringify((await session.view()).messages);
    await session.compact();
    expect(JSON.stringify((await session.view()).messages)).not.toBe(before);
    session.undo();
    expect(JSON.stringify((await session.view()).messages)).toBe(before);
    expect(session.status().paused).toBe('undone');
    const { walk } = (await session.compact())!;
    expect(() => session.undo(walk - 1)).toThrow(expect.objectContaining({ code: 'nothing-to-undo' }));
    expect(session.receipts().at(-1)?.walk).toBe(walk);
    expect(session.undo(walk).walk).toBe(walk);
    expect(() => createSession({ window: 100 }).undo()).toThrow(expect.objectContaining({ code: 'nothing-to-undo' }));
  });

  it('T6 a view is a prefix of the next one, except at a declared compaction; declared ones are rare', async () => {
    const session = createSession({ window: 30_000, maxOutput: 1_000 });
    session.append(user('go'));
    let before: readonly Message[] = [];
    let declared = 0;
    for (let i = 0; i < 300; i++) {
      work(session, 1, 120);
      const { messages, receipt } = await session.view();
      if (receipt?.declared) declared++;
      else expect(messages.slice(0, before.length)).toEqual(before);
      before = messages;
    }
    expect(declared).toBeGreaterThan(1);
    expect(declared).toBeLessThan(20);
  });

  it('T7 what was handed in and handed out is not changed later', async () => {
    const session = createSession({ window: 5_000, maxOutput: 100 });
    const given = Object.freeze(user(Object.freeze([Object.freeze({ type: 'text' as const, text: long('words') })])));
    session.append(given);
    const handed = await session.view();
    const copy = JSON.stringify(handed);
    work(session, 40);
    await session.view();
    await session.compact();
    expect(JSON.stringify(handed)).toBe(copy);
  });

  it('T8 with automatic compaction off nothing is compacted, and at the limit there is a clear error', async () => {
    const session = createSession({
      window: 4_000,
      maxOutput: 100,
      switches: switchesFrom({ PALIMPSEST_DISABLE_AUTO: '1' }),
    });
    session.append(user('go'));
    work(session, 4);
    expect((await session.view()).receipt).toBeUndefined();
    work(session, 30);
    await expect(session.view()).rejects.toMatchObject({
      code: 'blocked',
      message: expect.stringContaining('compact()'),
    });
    await session.compact();
    expect((await session.view()).fits).toBe(true);
    const off = createSession({ window: 4_000, switches: switchesFrom({ PALIMPSEST_DISABLE: 'true' }) });
    off.append(user('go'));
    work(off, 60);
    expect((await off.view()).messages).toHaveLength(121);
    await expect(off.compact()).rejects.toMatchObject({ code: 'disabled' });
  });

  it('a ledger that does not fit is refused with the position, never half-loaded', () => {
    const good = { version: 1, entries: [{ type: 'seen', count: 1 }] };
    expect(parseLedger(good)).toBe(good);
    const walked = (more: object) => ({
      version: 1,
      entries: [{ type: 'edits', walk: 1, layer: 'x', trigger: 'auto', tokensBefore: 1, tokensAfter: 1, ...more }],
    });
    for (const [bad, position] of [
      [{ version: 2, entries: [] }, 'version 2'],
      [{ version: 1, entries: [{ type: 'seen', count: -1 }] }, 'ledger.entries.0'],
      [{ version: 1, entries: [{ type: 'seen', count: 1 }, { type: 'magic' }] }, 'ledger.entries.1'],
      [
        walked({ edits: [{ type: 'replace', ref: 'e1', message: 'm', part: 0, excerpt: [[1]] }] }),
        'ledger.entries.0.edits.0',
      ],
      [walked({ edits: [], room: { window: 'wide', trigger: 1, target: 1 } }), 'ledger.entries.0.room'],
      [null, 'ledger'],
    ] as const)
      expect(() => parseLedger(bad)).toThrow(
        expect.objectContaining({ code: 'bad-ledger', message: expect.stringContaining(position) }),
      );
    const foreign = {
      type: 'edits',
      walk: 1,
      layer: 'x',
      trigger: 'auto',
      edits: [{ type: 'drop', ref: 'e1', message: 'nobody', part: 0 }],
      tokensBefore: 1,
      tokensAfter: 1,
      declared: true,
      pressed: true,
      over: 0,
    } as const;
    expect(() => createSession({ window: 100, records: [{ v: 1, type: 'entry', entry: foreign }] })).toThrow(
      expect.objectContaining({ code: 'bad-ledger', message: expect.stringContaining('record 1') }),
    );
  });
});
