import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoryStore } from '@palimpsest/store';
import { fastOrDeep } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import { createKeeper, type KeeperOptions } from '../src/keeper.ts';
import { body, history } from './conversing.ts';
import { createPrefixBill } from './prefix-bill.ts';

const ROUNDS = 14;
const SYSTEM = 'Work with care. '.repeat(100);

function readHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let n = 0; n < 4; n++) collect();
  return process.memoryUsage().heapUsed;
}

/** So many conversations whose requests take turns: what a cache serves of all of them, and what the keeper came to. */
async function takeTurns(count: number, options: Partial<KeeperOptions> = {}) {
  const keeper = createKeeper({ window: 4_000, ...options });
  const bill = createPrefixBill();
  const sessions = new Set<string>();
  let most = 0;
  for (let n = 0; n <= ROUNDS; n++)
    for (let i = 0; i < count; i++) {
      // Names of one length, so that all conversations are alike in all but their words.
      const name = String(1_000 + i);
      const given = { ...body(history(n, name)), system: name + SYSTEM };
      const kept = (await keeper.keep({ wire: 'anthropic', body: given, id: name }))!;
      bill.send(kept.body);
      sessions.add(kept.id);
      most = Math.max(most, keeper.status().conversations);
    }
  const { bytes } = keeper.status();
  await keeper.close();
  return { cached: bill.cachedShare, sessions: sessions.size, most, bytes };
}

describe('many conversations in turn', () => {
  it('are served from the cache as well as one, each a session of its own', { timeout: 300_000 }, async () => {
    const count = fastOrDeep(60, 500);
    const one = await takeTurns(1);
    const many = await takeTurns(count);
    expect(many.sessions).toBe(count);
    expect(Math.abs(many.cached - one.cached)).toBeLessThan(0.01);
  });

  it('are evicted to the store above the limits that the host set, and come back with their bytes', {
    timeout: 300_000,
  }, async () => {
    const count = 12;
    const all = await takeTurns(count);
    const few = await takeTurns(count, { store: memoryStore(), live: { conversations: 5 } });
    expect(few.most).toBe(5);
    expect(few.cached).toBeCloseTo(all.cached, 10);
    // Half of what all take together.
    const tight = await takeTurns(count, { store: memoryStore(), live: { bytes: all.bytes / 2 } });
    expect(tight.bytes).toBeLessThanOrEqual(all.bytes / 2);
    expect(tight.cached).toBeCloseTo(all.cached, 10);
  });

  it('count as the memory that they take: wide characters twice, and with what digests have read off them', async () => {
    const measure = async (window: number, said: string): Promise<number> => {
      const keeper = createKeeper({ window });
      const rounds = history(40).map((message, i) => (i === 0 ? { role: 'user', content: said } : message));
      await keeper.keep({ wire: 'anthropic', body: body(rounds) });
      return keeper.status().bytes;
    };
    const plain = await measure(1_000_000, 'é'.repeat(10_000));
    expect((await measure(1_000_000, '漢'.repeat(10_000))) - plain).toBe(10_000);
    // Compacted, it has a digest behind it.
    expect(await measure(8_000, 'é'.repeat(10_000))).toBeGreaterThan(plain);
  });

  it.each([700, 2_800, 20_000])('count as the heap that they take, also small ones: %i characters', async (chars) => {
    const count = Math.round(4_000_000 / (20_000 + chars));
    const makeTalk = (name: string) => {
      const messages = Array.from({ length: 2 * Math.max(1, Math.round(chars / 600)) + 1 }, (_, n) => ({
        role: n % 2 === 0 ? 'user' : 'assistant',
        content: `${name}, ${n}: ${'so it was said. '.repeat(18)}`,
      }));
      // As it comes off a wire: no two requests share a string.
      return JSON.parse(JSON.stringify({ model: 'm', max_tokens: 100, messages })) as ReturnType<typeof body>;
    };
    const before = readHeap();
    const keeper = createKeeper({ window: 100_000, live: { conversations: count + 1 } });
    for (let i = 0; i < count; i++) await keeper.keep({ wire: 'anthropic', body: makeTalk(`n${i}`), id: `n${i}` });
    await new Promise((resolve) => setImmediate(resolve));
    const share = (readHeap() - before) / keeper.status().bytes;
    expect(keeper.status().conversations).toBe(count);
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(2);
    await keeper.close();
  });

  it('hold no more at hand than the memory that is allowed, whatever compactions read', async () => {
    const most = 800_000;
    const keeper = createKeeper({ window: 8_000, live: { bytes: most } });
    for (let i = 0; i < 12; i++) {
      await keeper.keep({ wire: 'anthropic', body: body(history(40, `n${i}`)), id: `n${i}` });
      const { bytes, conversations } = keeper.status();
      expect(bytes <= most || conversations === 1).toBe(true);
    }
    expect(keeper.status().conversations).toBeGreaterThan(1);
  });

  it('without a store begin anew when they come back, and say the same', async () => {
    const keeper = createKeeper({ window: 100_000, live: { conversations: 2 } });
    const keep = async (name: string, n: number) =>
      (await keeper.keep({ wire: 'anthropic', body: body(history(n, name)), id: name }))!;
    for (const name of ['a', 'b', 'c']) await keep(name, 2);
    const kept = await keep('a', 3);
    expect(kept.how).toBe('begun');
    expect(kept.body.messages).toEqual(history(3, 'a'));
  });
});
