import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Session } from '@palimpsest/core';
import { fileStore, memoryStore, type Store } from '@palimpsest/store';
import { afterEach, describe, expect, it } from 'vitest';
import { newStoredReader } from '../src/conversations/stored-reader.ts';
import { createKeeper, type Keeper, type KeeperOptions } from '../src/keeper.ts';
import { body, history } from './conversing.ts';

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'palimpsest-forget-'));
  made.push(dir);
  return dir;
}

/** Every file below a folder, with its path. */
const readAll = (dir: string): string =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .map((one) => `${one.name}${one.isFile() ? readFileSync(join(one.parentPath, one.name), 'latin1') : ''}`)
    .join('\n');

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

const keep = (keeper: Keeper, tenant: string, id: string, rounds = 20) =>
  keeper.keep({ wire: 'anthropic', body: body(history(rounds, `${tenant}-${id}`)), tenant, id }).then((kept) => kept!);

const newKeeper = (store: Store | undefined, more: Partial<KeeperOptions> = {}): Keeper =>
  createKeeper({ window: 8_000, ...(store === undefined ? {} : { store }), ...more });

describe('keeper.forget', () => {
  it('removes a tenant from memory, from the files and from recall, and leaves the others', async () => {
    const dir = newFolder();
    const keeper = newKeeper(fileStore({ dir, fsync: 'never' }));
    const ids: string[] = [];
    for (const [tenant, id] of [
      ['ann', 'x'],
      ['ann', 'y'],
      ['bob', 'x'],
    ] as const) {
      const kept = await keep(keeper, tenant, id);
      kept.hear({ usage: { input_tokens: kept.tokens } });
      ids.push(kept.id);
    }
    await keep(keeper, 'bob', 'x', 21);
    expect(readAll(dir)).toContain('ann-x line of file');
    await keeper.forget('ann');
    expect(readAll(dir)).not.toContain('ann-');
    expect(readAll(dir)).toContain('bob-x line of file');
    expect(keeper.find(ids[0]!, 'ann')).toBeUndefined();
    expect(keeper.list().map(({ tenant }) => tenant)).toEqual(['bob']);
    const later = { wire: 'anthropic', body: body(history(2, 'later')), tenant: 'ann', id: 'x' } as const;
    const again = (await keeper.keep(later))!;
    await again.recall.prepare();
    expect(JSON.stringify(again.recall.search('ann-x line'))).not.toContain('ann-x');
    expect((await keep(keeper, 'bob', 'x', 22)).id).toBe(ids[2]);
    await keeper.close();
  });

  it('removes one group alone where an id is given, also what was evicted to the store', async () => {
    const dir = newFolder();
    const keeper = newKeeper(fileStore({ dir, fsync: 'never' }), { live: { conversations: 1 } });
    for (const id of ['x', 'y', 'z']) (await keep(keeper, 'ann', id)).release();
    await keeper.forget('ann', 'x');
    expect(readAll(dir)).not.toContain('ann-x');
    expect(readAll(dir)).toContain('ann-y');
    await keeper.close();
    expect(readAll(dir)).not.toContain('ann-x');
    expect(readAll(dir)).toContain('ann-z');
  });

  it('removes what a lookup had read from the store', async () => {
    const store = memoryStore();
    const before = newKeeper(store);
    await keep(before, 'ann', 'x');
    await before.close();
    const keeper = newKeeper(store);
    const other = { wire: 'anthropic', body: body(history(2, 'other')), tenant: 'ann', id: 'x' } as const;
    const first = (await keeper.keep(other))!;
    await first.recall.prepare();
    expect(JSON.stringify(first.recall.search('ann-x line'))).toContain('ann-x');
    await keeper.forget('ann', 'x');
    const second = (await keeper.keep(other))!;
    await second.recall.prepare();
    expect(JSON.stringify(second.recall.search('ann-x line'))).not.toContain('ann-x');
    await keeper.close();
  });

  it('drops what a lookup had read from memory too', async () => {
    const inner = memoryStore();
    const before = newKeeper(inner);
    await keep(before, 'ann', 'x');
    await before.close();
    const [listed] = await inner.list();
    const read: string[] = [];
    const store: Store = {
      ...inner,
      list: async (options) => (await inner.list(options)).filter(({ id }) => id === listed?.id),
      read: (id) => {
        read.push(id);
        return inner.read(id);
      },
      // What it still lists, a lookup would take from memory.
      delete: async () => {},
    };
    const keeper = newKeeper(store);
    const lookUp = async (): Promise<void> => {
      const other = { wire: 'anthropic', body: body(history(2, 'other')), tenant: 'ann', id: 'x' } as const;
      await (await keeper.keep(other))!.recall.prepare();
    };
    await lookUp();
    const reads = read.length;
    await lookUp();
    expect(read).toHaveLength(reads);
    await keeper.forget('ann', 'x');
    await lookUp();
    expect(read.length).toBeGreaterThan(reads);
    await keeper.close();
  });

  it('waits for a view that is being made, which writes nothing back', async () => {
    const dir = newFolder();
    const store = fileStore({ dir, fsync: 'never' });
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    let tellAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      tellAsked = resolve;
    });
    const slow: Store = {
      ...store,
      async open(id, options) {
        tellAsked();
        await opened;
        return store.open(id, options);
      },
    };
    const keeper = newKeeper(slow);
    const making = keep(keeper, 'ann', 'x');
    await asked;
    const forgotten = keeper.forget('ann');
    open();
    const kept = await making;
    await forgotten;
    expect(readdirSync(dir)).toEqual([]);
    // What comes of that request later begins nothing anew.
    kept.hear({ usage: { input_tokens: kept.tokens } });
    expect(await kept.fail({ type: 'overflow', maximum: 6_000, message: 'too long' })).toBeUndefined();
    kept.release();
    await keeper.close();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('begins nothing anew for a request whose conversation was evicted before', async () => {
    const dir = newFolder();
    const keeper = newKeeper(fileStore({ dir, fsync: 'never' }), { live: { conversations: 1 } });
    const kept = await keep(keeper, 'ann', 'x');
    await keep(keeper, 'bob', 'x');
    await keeper.forget('ann');
    expect(await kept.fail({ type: 'overflow', maximum: 6_000, message: 'too long' })).toBeUndefined();
    await keeper.close();
    expect(readAll(dir)).not.toContain('ann-');
  });

  it('lets go of the sessions, so that their memory is free', async () => {
    const keeper = newKeeper(undefined);
    const hold = async (): Promise<WeakRef<Session>> => new WeakRef((await keep(keeper, 'ann', 'x')).session);
    const session = await hold();
    await keep(keeper, 'bob', 'x');
    await keeper.forget('ann');
    await expect
      .poll(() => {
        collectGarbage();
        // The session itself would be held by the failed expectation.
        return session.deref() === undefined;
      })
      .toBe(true);
    expect(keeper.status().conversations).toBe(1);
  });

  it('says so where the store cannot delete, and where another process is in the middle of a turn', async () => {
    const { delete: _, ...without } = memoryStore();
    await expect(newKeeper(without as Store).forget('ann')).rejects.toMatchObject({ code: 'bad-option' });
    const store = memoryStore();
    const [busy, other] = [newKeeper(store), newKeeper(store)];
    const kept = await keep(busy, 'ann', 'x');
    await expect(other.forget('ann')).rejects.toMatchObject({ code: 'locked' });
    kept.release();
    await expect
      .poll(() =>
        other.forget('ann').then(
          () => 'done',
          () => 'locked',
        ),
      )
      .toBe('done');
    expect(await store.list()).toEqual([]);
  });
});

it('what was read from the store for recall is let go of by tenant and name', async () => {
  const store = memoryStore();
  const reader = newStoredReader(1_000_000);
  const listed = ['a-1', 'a-2', 'b-1'].map((id) => ({ id, bytes: 10, modifiedAt: 1 }));
  for (const one of listed) {
    await (await store.open(one.id)).journal.close();
    for (const tenant of ['ann', 'bob']) await reader.read(store, tenant, one);
  }
  reader.forget('ann', 'a-');
  const known = (tenant: string) => listed.map((one) => reader.hasRead(tenant, one));
  expect(known('ann')).toEqual([false, false, true]);
  expect(known('bob')).toEqual([true, true, true]);
});
