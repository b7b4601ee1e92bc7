import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSession } from '@palimpsest/core';
import { createKeeper, type Keeper, type KeptRequest } from '@palimpsest/sdk/keeper';
import { fileStore, type Store } from '@palimpsest/store';
import { makeBranchingClient } from '@palimpsest/testing/branching-client';
import { watchWriters } from '@palimpsest/testing/watch-writers';
import { openaiChat } from '@palimpsest/wire';
import { afterAll, expect, it } from 'vitest';
import { describeOnServer, newTenant, openStore } from './postgres.ts';

const WINDOW = 8_000;
const ROUNDS = 40;
const client = makeBranchingClient('one', { rounds: ROUNDS, resultChars: 1_600, systemChars: 2_000 });

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-two-keepers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As two processes would open it: one store each, of the same sessions. */
const PLACES: Readonly<Record<string, (name: string) => () => Promise<Store>>> = {
  Postgres: () => {
    const tenant = newTenant();
    return () => openStore({ tenant });
  },
  files: (name) => async () => fileStore({ dir: join(folder, name), fsync: 'never' }),
};

async function ask(keeper: Keeper, rounds: number, isAnswered = true): Promise<KeptRequest<object>> {
  const kept = (await keeper.keep({ wire: 'openai-chat', body: client.body(client.history(rounds)), id: 'one' }))!;
  expect(openaiChat.validate(kept.body as never)).toEqual([]);
  expect(JSON.stringify(kept.body)).toContain('Never touch LOCKED.md');
  if (isAnswered) kept.hear({ usage: { prompt_tokens: kept.tokens } });
  return kept;
}

describeOnServer('two live gateways that one conversation goes back and forth between', () => {
  it.each(Object.keys(PLACES))('are one session, with the bytes of one gateway alone (%s)', async (place) => {
    const open = PLACES[place]!('in turn');
    const stores = [watchWriters(await open()), watchWriters(await open())];
    const keepers = stores.map((store) => createKeeper({ window: WINDOW, store }));
    const alone = createKeeper({ window: WINDOW });
    const ids = new Set<string>();
    for (let rounds = 1; rounds <= ROUNDS; rounds++) {
      const kept = await ask(keepers[rounds % 2]!, rounds);
      expect(kept.body).toEqual((await ask(alone, rounds)).body);
      ids.add(kept.id);
      if (rounds > 1) expect(kept.how).toBe('restored');
      const countHeld = (): number => stores.reduce((sum, one) => sum + one.countHeld(), 0);
      await expect.poll(countHeld, { timeout: 20_000, interval: 5 }).toBe(0);
    }
    expect(ids.size).toBe(1);
    for (const keeper of keepers) await keeper.close();
    const store = await open();
    const [only, ...others] = await store.list();
    expect(others).toEqual([]);
    const said = createSession({ window: WINDOW, records: (await store.read(only!.id)).records }).transcript();
    // The system prompt is no message.
    expect(said).toHaveLength(client.history(ROUNDS).length - 1);
    expect(new Set(said.map((message) => message.id)).size).toBe(said.length);
  });

  it.each(Object.keys(PLACES))('keep one copy each while no request is ever over (%s)', async (place) => {
    const open = PLACES[place]!('back-and-forth');
    const keepers = [
      createKeeper({ window: WINDOW, store: await open() }),
      createKeeper({ window: WINDOW, store: await open() }),
    ];
    const ways: string[] = [];
    for (let rounds = 1; rounds <= ROUNDS; rounds++) ways.push((await ask(keepers[rounds % 2]!, rounds, false)).how);
    expect(ways.filter((how) => how === 'forked')).toHaveLength(1);
    expect(ways.slice(2).every((how) => how === 'continued')).toBe(true);
    for (const keeper of keepers) await keeper.close();

    const store = await open();
    const stored = await store.list();
    expect(stored).toHaveLength(2);
    const lengths: number[] = [];
    for (const { id } of stored) {
      const said = createSession({ window: WINDOW, records: (await store.read(id)).records }).transcript();
      expect(new Set(said.map((message) => message.id)).size).toBe(said.length);
      lengths.push(said.length);
    }
    // The system prompt is no message. The one that had the last request has all, the other what came until its own last one.
    expect(Math.max(...lengths)).toBe(client.history(ROUNDS).length - 1);
    expect(Math.min(...lengths)).toBe(client.history(ROUNDS - 1).length - 1);
  });

  it.each(Object.keys(PLACES))(
    'send the same bytes where it moves, and go on in it where the first one is gone (%s)',
    async (place) => {
      const open = PLACES[place]!('moved');
      const first = createKeeper({ window: WINDOW, store: await open() });
      let last = await ask(first, 1);
      for (let rounds = 2; rounds <= 30; rounds++) last = await ask(first, rounds, rounds < 30);
      expect(JSON.stringify(last.body).length).toBeLessThan(JSON.stringify(client.body(client.history(30))).length / 2);

      const beside = createKeeper({ window: WINDOW, store: await open() });
      const moved = await ask(beside, 30);
      expect(moved).toMatchObject({ how: 'forked', parent: last.id });
      expect(moved.body).toEqual(last.body);
      await beside.close();

      await first.close();
      const next = createKeeper({ window: WINDOW, store: await open() });
      const restored = await ask(next, 31);
      expect(restored.how).toBe('restored');
      expect([last.id, moved.id]).toContain(restored.id);
      await next.close();
    },
  );

  it.each(Object.keys(PLACES))('recall what a client compacted away on the other one (%s)', async (place) => {
    const open = PLACES[place]!('compacted');
    const [first, second] = [
      createKeeper({ window: WINDOW, store: await open() }),
      createKeeper({ window: WINDOW, store: await open() }),
    ];
    for (let rounds = 1; rounds <= ROUNDS; rounds++) await ask(first, rounds);
    const summary = client.events['client compaction']!;
    const goOn = [
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Which was the third part?' },
    ];
    const keep = async (keeper: Keeper, messages: readonly object[], id = 'one') =>
      (await keeper.keep({ wire: 'openai-chat', body: client.body(messages as never), id }))!;
    (await keep(first, summary)).release();
    (await keep(first, [...summary, ...goOn])).release();
    const find = async ({ recall }: KeptRequest<object>): Promise<string> => {
      await recall.prepare();
      expect(recall.unread).toEqual([]);
      return recall
        .search('part 3 of one')
        .map(({ text }) => text)
        .join();
    };
    expect(await find(await keep(second, [...summary, ...goOn, ...goOn]))).toContain('// part 3 of one');
    expect(await find(await keep(second, [...summary, ...goOn, ...goOn], 'two'))).not.toContain('// part 3 of one');
    for (const keeper of [first, second]) await keeper.close();
  });
});
