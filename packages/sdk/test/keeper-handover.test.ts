import { memoryStore, StoreError } from '@palimpsest/store';
import { makeBranchingClient } from '@palimpsest/testing/branching-client';
import { describe, expect, it } from 'vitest';
import type { ConversationStore } from '../src/conversations/keep-options.ts';
import { createKeeper, type Keeper, type KeeperOptions } from '../src/keeper.ts';

const ROUNDS = 40;
const client = makeBranchingClient('one', { rounds: ROUNDS, resultChars: 1_600, systemChars: 2_000 });
const bodyAfter = (rounds: number) => client.body(client.history(rounds));

async function ask(keeper: Keeper, rounds: number) {
  const kept = (await keeper.keep({ wire: 'openai-chat', body: bodyAfter(rounds), id: 'one' }))!;
  return { kept, hear: () => kept.hear({ usage: { prompt_tokens: kept.tokens } }) };
}

/** Keepers as two processes have them, and how often one of their sessions was compacted. */
function startPair(store: ConversationStore = memoryStore()) {
  const compacted: string[] = [];
  const options: KeeperOptions = {
    window: 8_000,
    store,
    on: ({ type, session }) => void (type === 'view-compacted' && compacted.push(session)),
  };
  return { keepers: [createKeeper(options), createKeeper(options)] as const, compacted, store };
}

describe('a conversation that two processes get the requests of', () => {
  it('is one session, with the bytes and the compactions that one process alone would make', async () => {
    const alone = startPair();
    const pair = startPair();
    const ids = new Set<string>();
    for (let rounds = 1; rounds <= ROUNDS; rounds++) {
      const expected = await ask(alone.keepers[0], rounds);
      const { kept, hear } = await ask(pair.keepers[rounds % 2]!, rounds);
      expect(kept.body).toEqual(expected.kept.body);
      for (const heard of [expected.hear, hear]) heard();
      ids.add(kept.id);
    }
    expect(ids.size).toBe(1);
    expect(await pair.store.list!({ prefix: '' })).toHaveLength(1);
    expect(pair.compacted.length).toBeGreaterThan(0);
    expect(pair.compacted.length).toBe(alone.compacted.length);
    for (const keeper of [...pair.keepers, alone.keepers[0]]) await keeper.close();
  });

  it('is not taken out of a request that is under way: the other goes its own way, with the same bytes', async () => {
    const { keepers } = startPair();
    const [first, second] = keepers;
    for (let rounds = 1; rounds <= 20; rounds++) (await ask(first, rounds)).hear();
    const busy = await ask(first, 21);
    const beside = await ask(second, 21);
    expect(beside.kept).toMatchObject({ how: 'forked', parent: busy.kept.id });
    expect(beside.kept.body).toEqual(busy.kept.body);
    busy.hear();
    const next = await ask(first, 22);
    expect(next.kept).toMatchObject({ how: 'continued', id: busy.kept.id });
    for (const keeper of keepers) await keeper.close();
  });

  it.each(['corrupt', 'unsupported-version'])(
    'is begun anew beside a stored one that cannot be read: %s',
    async (code) => {
      const store = memoryStore();
      const { keepers } = startPair(store);
      for (let rounds = 1; rounds <= 20; rounds++) (await ask(keepers[0], rounds)).hear();
      await keepers[0].close();
      const [damaged] = await store.list!({ prefix: '' });
      const fail = (): Promise<never> =>
        Promise.reject(new StoreError(code as 'corrupt', 'what stands there cannot be read'));
      const broken: ConversationStore = {
        ...store,
        open: (id, options) => (id === damaged!.id ? fail() : store.open(id, options)),
        read: (id) => (id === damaged!.id ? fail() : store.read!(id)),
      };
      const { keepers: later } = startPair(broken);
      const { kept, hear } = await ask(later[0], 21);
      expect(kept).toMatchObject({ how: 'begun', changed: true });
      hear();
      const next = await ask(later[1], 22);
      expect(next.kept).toMatchObject({ how: 'restored', id: kept.id });
      next.hear();
      for (const keeper of [...later, keepers[1]]) await keeper.close();
    },
  );

  it('may be had by the other once its request came to nothing', async () => {
    const { keepers } = startPair();
    const [first, second] = keepers;
    for (let rounds = 1; rounds <= 20; rounds++) (await ask(first, rounds)).hear();
    const failed = await ask(first, 21);
    failed.kept.release();
    const again = await ask(second, 21);
    expect(again.kept).toMatchObject({ how: 'restored', id: failed.kept.id });
    expect(again.kept.body).toEqual(failed.kept.body);
    for (const keeper of keepers) await keeper.close();
  });

  it('is gone on with by the one that has it, however late the other tells what became of its request', async () => {
    const { keepers, store } = startPair();
    const [first, second] = keepers;
    for (let rounds = 1; rounds <= 20; rounds++) (await ask(first, rounds)).hear();
    const late = await ask(first, 21);
    late.kept.release();
    (await ask(second, 21)).hear();
    late.hear();
    const { kept, hear } = await ask(second, 22);
    expect(kept).toMatchObject({ how: 'continued', id: late.kept.id });
    hear();
    const back = await ask(first, 23);
    expect(back.kept).toMatchObject({ how: 'restored', id: late.kept.id });
    expect(back.kept.session.transcript()).toHaveLength(client.history(23).length - 1);
    expect(await store.list!({ prefix: '' })).toHaveLength(1);
    for (const keeper of keepers) await keeper.close();
  });

  it('stays with its process where the store cannot let others have it', async () => {
    const own = memoryStore();
    const { keepers } = startPair({
      open: async (id, options) => {
        const { rest: _, ...session } = await own.open(id, options);
        return session;
      },
      read: own.read,
      list: (options) => own.list(options),
    });
    const [first, second] = keepers;
    for (let rounds = 1; rounds <= 5; rounds++) (await ask(first, rounds)).hear();
    expect((await ask(second, 6)).kept.how).toBe('forked');
    for (const keeper of keepers) await keeper.close();
  });
});
