import { memoryStore } from '@palimpsest/store';
import { anthropicMessages } from '@palimpsest/wire';
import { beforeEach, describe, expect, it } from 'vitest';
import { createKeeper, type Keeper, type KeeperOptions, type KeptRequest } from '../src/keeper.ts';
import { type Body, body, history } from './conversing.ts';
import { createPrefixBill, type PrefixBill } from './prefix-bill.ts';

/** So many that the two requests behind them are none that compact. */
const ROUNDS = 42;
const said = (text: string) => ({ role: 'user', content: text });
const answered = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });

/** What a client sent and how much of it a cache would have served. */
interface Asked {
  readonly kept: KeptRequest<Body>;
  readonly cached: number;
}

/** A client with an id, through a keeper, to a provider with a cache. */
function client(keeper: Keeper, bill: PrefixBill, id: string | undefined = 'one') {
  return async (
    messages: Body['messages'],
    more: { readonly id?: string; readonly tenant?: string } = {},
  ): Promise<Asked> => {
    const given = { ...body(messages), system: SYSTEM };
    const kept = (await keeper.keep({ wire: 'anthropic', body: given, id, ...more }))!;
    expect(anthropicMessages.validate(kept.body)).toEqual([]);
    const cached = bill.send(kept.body);
    kept.hear({ usage: { input_tokens: kept.tokens } });
    return { kept, cached };
  };
}

const SYSTEM = 'Work with care. '.repeat(200);
const options = { window: 8_000, keep: { fraction: 0.35 } } satisfies KeeperOptions;

describe('a request that leaves what its conversation said', () => {
  let keeper: Keeper;
  let bill: PrefixBill;
  let ask: ReturnType<typeof client>;

  beforeEach(async () => {
    keeper = createKeeper(options);
    bill = createPrefixBill();
    ask = client(keeper, bill);
    for (let n = 0; n <= ROUNDS; n++) await ask(history(n));
    expect(keeper.status().conversations).toBe(1);
  });

  it('whoever says step by step what another said before goes on where it was, and forks once', async () => {
    keeper = createKeeper(options);
    ask = client(keeper, bill, undefined);
    for (let n = 0; n <= ROUNDS; n++) await ask(history(n));
    const ways = new Set<string>();
    const ids = new Set<string>();
    for (let n = 0; n < ROUNDS; n++) {
      const { kept } = await ask(history(n));
      ids.add(kept.id);
      if (n > 0) ways.add(kept.how);
    }
    expect([...ways]).toEqual(['continued']);
    expect(ids.size).toBe(1);
    expect(keeper.status().conversations).toBe(2);
  });

  it('goes on from the place to which the user rewound, with what a cache still has of it', async () => {
    for (const back of [1, 3, 10, 25]) {
      const { kept, cached } = await ask([...history(ROUNDS - back), said('Rather look at the tests.')]);
      expect(kept.how).toBe('forked');
      expect(cached).toBeGreaterThan(0.8);
      const text = JSON.stringify(kept.body);
      expect(text).toContain('Rather look');
      for (let n = ROUNDS - back + 1; n <= ROUNDS; n++) expect(text).not.toContain(`line of file ${n}\\n`);
    }
  });

  it('goes on where the user interrupted an answer, or the client asked for another one', async () => {
    const calls = history(ROUNDS + 1).slice(0, -1);
    const interrupted = await ask([...calls, said('[Request interrupted by user]'), said('Stop. What is left?')]);
    expect(interrupted.cached).toBeGreaterThan(0.8);
    await ask([...history(ROUNDS), answered('First.'), said('Go on.')]);
    const { kept, cached } = await ask([...history(ROUNDS), answered('Second.'), said('Go on.')]);
    expect(kept.how).toBe('forked');
    expect(cached).toBeGreaterThan(0.8);
    expect(JSON.stringify(kept.body)).not.toContain('First.');
  });

  it('goes on in the same session where the client cleared old results, which stay what they were', async () => {
    const cleared = history(ROUNDS + 1).map((message, i) =>
      i % 2 === 0 && i > 0 && i < 2 * (ROUNDS - 3)
        ? {
            ...message,
            content: [{ type: 'tool_result', tool_use_id: `c${i / 2}`, content: '[Old tool result content cleared]' }],
          }
        : message,
    );
    const { kept, cached } = await ask(cleared);
    expect(kept.how).toBe('continued');
    expect(cached).toBeGreaterThan(0.8);
    expect(JSON.stringify(kept.body)).not.toContain('Old tool result');
    expect(JSON.stringify(kept.session.transcript())).toContain('a line of file 1\\n');
    const next = await ask([...cleared, answered('Read.'), said('And now?')]);
    expect(next.kept.how).toBe('continued');
    expect(next.cached).toBeGreaterThan(0.8);
  });

  it('is another branch where a result says something else under the same name', async () => {
    const changed = history(ROUNDS).map((message, i) =>
      i === 2 * ROUNDS
        ? { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${ROUNDS}`, content: 'no such file' }] }
        : message,
    );
    const { kept, cached } = await ask(changed);
    expect(kept.how).toBe('forked');
    expect(cached).toBeGreaterThan(0.8);
    expect(JSON.stringify(kept.body)).toContain('no such file');
  });

  it('goes on in the same session where reminders come and go', async () => {
    const reminded = (n: number) => [
      ...history(n).slice(0, -1),
      {
        role: 'user',
        content: [
          ...(history(n).at(-1)!.content as object[]),
          { type: 'text', text: `<system-reminder>\n${n} things to do\n</system-reminder>` },
        ],
      },
    ];
    for (let n = ROUNDS + 1; n < ROUNDS + 8; n++) {
      const { kept, cached } = await ask(reminded(n));
      expect(kept.how).toBe('continued');
      expect(JSON.stringify(kept.body)).toContain(`${n} things to do`);
      if (kept.receipt === undefined) expect(cached).toBeGreaterThan(0.8);
    }
    expect(keeper.status().conversations).toBe(1);
  });

  it('passes as it came where the client compacted by itself, and recall reaches back', async () => {
    const summary = [said('This session is being continued. Summary: all files were read.')];
    const { kept, cached } = await ask(summary);
    expect(kept.how).toBe('client-compacted');
    expect(kept.changed).toBe(false);
    expect(cached).toBeGreaterThan(0.8);
    expect(kept.recall.search('line of file 33').length).toBeGreaterThan(0);
    const ref = kept.recall.search('line of file 33')[0]!.message.id;
    expect(kept.recall.read(ref).text).toContain('a line of file 33');
  });

  it('is resumed under another id with the bytes it had', async () => {
    const { kept, cached } = await ask([...history(ROUNDS), answered('Read.'), said('Go on.')], { id: 'two' });
    expect(kept.how).toBe('forked');
    expect(cached).toBeGreaterThan(0.8);
  });

  it('goes on in its own session once it has one, though another id said the very same before', async () => {
    const ids = new Set<string>();
    for (let n = 0; n <= ROUNDS; n++) {
      const { kept } = await ask(history(n), { id: 'twin' });
      if (kept.session.ledger().entries.some(({ type }) => type === 'edits')) ids.add(kept.id);
    }
    // It takes up what was decided for the other, and from there on it is one.
    expect(ids.size).toBe(1);
  });

  it('of another tenant shares nothing, whatever it says', async () => {
    const { kept } = await ask([...history(ROUNDS), said('Go on.')], { tenant: 'other' });
    expect(kept.how).toBe('begun');
    expect(
      kept.recall.search('line of file 33').every(({ message }) => kept.session.transcript().includes(message)),
    ).toBe(true);
    expect(keeper.find(kept.id)).toBeUndefined();
    expect(keeper.find(kept.id, 'other')).toBe(kept.session);
  });

  it('with the same words under another system prompt is another caller’s, and disturbs nothing', async () => {
    const title = { ...body(history(ROUNDS)), system: 'Name this conversation.' };
    const other = (await keeper.keep({ wire: 'anthropic', body: title, id: 'one' }))!;
    expect(other.how).toBe('forked');
    const { kept, cached } = await ask(history(ROUNDS + 1));
    expect(kept.how).toBe('continued');
    expect(cached).toBeGreaterThan(0.8);
  });
});

describe('a keeper with a store', () => {
  it('goes on after a restart with the bytes it had', async () => {
    const store = memoryStore();
    const bill = createPrefixBill();
    for (const id of ['one', undefined]) {
      const first = createKeeper({ ...options, store });
      let before = '';
      for (let n = 0; n <= ROUNDS; n++) before = (await client(first, bill, id)(history(n, `x${id}`))).kept.id;
      await first.close();
      const told: string[] = [];
      const second = createKeeper({ ...options, store, onSession: (_, start) => told.push(start.id) });
      const { kept, cached } = await client(second, bill, id)([...history(ROUNDS, `x${id}`), said('Go on.')]);
      expect(kept.how).toBe('restored');
      expect(cached).toBeGreaterThan(0.95);
      expect([kept.id, ...told]).toEqual([before, before]);
      expect(second.find(before)).toBe(kept.session);
      await second.close();
    }
    expect(await store.list()).toHaveLength(2);
  });

  it('reads what another process writes to, and goes its own way from there', async () => {
    const store = memoryStore();
    const bill = createPrefixBill();
    const first = createKeeper({ ...options, store });
    for (let n = 0; n <= ROUNDS; n++) await client(first, bill)(history(n));
    // Its newest request is not answered yet.
    await first.keep({ wire: 'anthropic', body: { ...body(history(ROUNDS)), system: SYSTEM }, id: 'one' });
    const second = createKeeper({ ...options, store });
    const { kept, cached } = await client(second, bill)([...history(ROUNDS), said('Go on.')]);
    expect(kept.how).toBe('forked');
    expect(cached).toBeGreaterThan(0.95);
    await Promise.all([first.close(), second.close()]);
  });

  it('reaches back after a restart to what the client compacted', async () => {
    const store = memoryStore();
    const first = createKeeper({ ...options, store });
    for (let n = 0; n <= 20; n++) await client(first, createPrefixBill())(history(n));
    await first.close();
    const second = createKeeper({ ...options, store });
    const { kept } = await client(second, createPrefixBill())([said('Summary: all was read.')]);
    expect(kept.how).toBe('client-compacted');
    await kept.recall.prepare();
    expect(kept.recall.search('line of file 13').length).toBeGreaterThan(0);
  });
});
