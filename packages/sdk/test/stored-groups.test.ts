import { createSession, user } from '@palimpsest/core';
import { memoryStore, StoreError } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { groupRecall } from '../src/conversations/group-recall.ts';
import type { ConversationStore, ListedConversation } from '../src/conversations/keep-options.ts';
import { newOpenNames } from '../src/conversations/open-names.ts';
import { type AtHand, type GroupLimits, newStoredGroups } from '../src/conversations/stored-groups.ts';
import { groupName } from '../src/conversations/stored-name.ts';
import { recallTool } from '../src/recall-tool.ts';

const OWNER = { tenant: 't', id: 'one' };
const LIMITS: GroupLimits = { conversations: 100, bytes: 1e6, heldBytes: 1e6, patienceMs: 60_000 };
const nameOf = (name: string, owner = OWNER): string => `${groupName(owner)}${name}`;

/** A store with a conversation under each name, the last one the newest, and how often each was read. */
async function fill(names: readonly string[]) {
  const inner = memoryStore();
  const read: string[] = [];
  let order: readonly string[] = [];
  const write = async (name: string, said: string): Promise<void> => {
    const { journal } = await inner.open(name);
    const session = createSession({ window: 100_000, journal });
    session.append(user(said, `m-${said}`));
    await session.saved();
    await journal.close();
    order = [name, ...order.filter((one) => one !== name)];
  };
  for (const name of names) await write(nameOf(name), `The port of ${name} is 8412.`);
  const store = {
    open: inner.open,
    async read(id: string) {
      read.push(id);
      return inner.read(id);
    },
    async list(options: { readonly prefix: string }): Promise<readonly ListedConversation[]> {
      const listed = await inner.list(options);
      return listed.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    },
  } satisfies ConversationStore;
  return { store, read, write };
}

interface Given extends Partial<GroupLimits> {
  readonly atHand?: AtHand;
}

/** A conversation that goes on in the group, and the recall that its model has. */
function converse(store: ConversationStore, { atHand = new Map(), ...limits }: Given = {}) {
  const own = createSession({ window: 100_000 });
  own.append(user('Summary: all was read.', 'own'));
  const names = newOpenNames();
  const groups = newStoredGroups(() => store, names, { ...LIMITS, ...limits });
  const recall = groupRecall(
    own,
    () => [],
    () => groups.read(OWNER, nameOf('own'), atHand),
  );
  const tool = recallTool({ recall, transcript: own.transcript });
  const lookUp = async (input: { readonly query?: string; readonly reference?: string }): Promise<string> => {
    await recall.prepare(input.reference === undefined ? undefined : [input.reference]);
    return tool.run(input);
  };
  return { lookUp, recall, names };
}

describe('what a recall reads of the conversations that only the store has', () => {
  it('is found by words and by reference, and is of its own group alone', async () => {
    const { store, write } = await fill(['alpha']);
    for (const owner of [
      { tenant: 't', id: 'two' },
      { tenant: 'u', id: 'one' },
    ])
      await write(nameOf('beta', owner), 'The port of beta is 8412.');
    const { lookUp } = converse(store);
    const told = await lookUp({ query: 'port 8412' });
    expect(told).toContain('port of alpha');
    expect(told).not.toContain('beta');
    expect(await lookUp({ reference: 'm-The port of alpha is 8412.' })).toContain('Recalled');
    expect(await lookUp({ reference: 'm-The port of beta is 8412.' })).toContain('nothing is known');
  });

  it('is found in one order with all others of the group, however many and however new they are', async () => {
    const { store, write } = await fill([]);
    await write(nameOf('oldest'), 'The deploy key of heron is 58-4471.');
    for (let n = 0; n < 12; n++) await write(nameOf(`newer${n}`), `The key of door ${n} hangs beside the deploy list.`);
    const told = await converse(store).lookUp({ query: 'deploy key of heron' });
    expect(told.slice(0, 200)).toContain('58-4471');
  });

  it('is told once where several have it', async () => {
    const { store, write } = await fill([]);
    for (const fork of ['one', 'two']) await write(nameOf(fork), 'The deploy key of heron is 58-4471.');
    expect((await converse(store).lookUp({ query: 'key of heron' })).split('· user')).toHaveLength(2);
  });

  it('is read once, and again when it has grown', async () => {
    const { store, read, write } = await fill(['alpha']);
    const { lookUp } = converse(store);
    await lookUp({ query: 'port' });
    await lookUp({ query: 'port' });
    expect(read).toHaveLength(1);
    await write(nameOf('alpha'), 'The port is 9999 now.');
    expect(await lookUp({ query: 'port 9999' })).toContain('9999 now');
    expect(read).toHaveLength(2);
  });

  it('is not asked for where a reference is known at hand', async () => {
    const { store, read } = await fill(['alpha']);
    const { lookUp } = converse(store);
    expect(await lookUp({ reference: 'own' })).toContain('Summary');
    expect(read).toEqual([]);
  });

  it('leaves out the conversation itself', async () => {
    const { store, read } = await fill(['own', 'beta']);
    const { lookUp } = converse(store);
    expect(await lookUp({ query: 'port' })).not.toContain('port of own');
    expect(read).toEqual([nameOf('beta')]);
  });

  it('of one at hand is what it has more, where another process went on with it', async () => {
    const { store, read, write } = await fill(['alpha']);
    const live = createSession({ window: 100_000, records: (await store.read(nameOf('alpha'))).records });
    const { lookUp, recall } = converse(store, { heldBytes: 1, atHand: new Map([[nameOf('alpha'), live]]) });
    for (const _ of [1, 2]) expect(await lookUp({ query: 'port 8412' })).not.toContain('alpha');
    // It was looked at once: as it stands, it is known.
    expect(read).toHaveLength(2);
    await write(nameOf('alpha'), 'The port is 9999 now.');
    expect(await lookUp({ query: 'port 9999' })).toContain('9999 now');
    expect(recall.unread).toEqual([]);
  });

  it('is not missed where it is at hand', async () => {
    const { store } = await fill(['alpha']);
    const live = createSession({ window: 100_000, records: (await store.read(nameOf('alpha'))).records });
    const fail = (): Promise<never> => Promise.reject(new StoreError('unavailable', 'away'));
    for (const given of [{ bytes: 1 }, { conversations: 0 }, {}]) {
      const { lookUp } = converse({ ...store, read: fail }, { ...given, atHand: new Map([[nameOf('alpha'), live]]) });
      expect(await lookUp({ query: 'summary' })).not.toContain('not looked into');
    }
  });

  it('waits for one that is just being closed, and has its last words', async () => {
    const { store, write } = await fill(['alpha']);
    const { lookUp, names } = converse(store);
    const close = async (): Promise<void> => {
      // Longer than a list of this store takes.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      await write(nameOf('alpha'), 'The port is 9999 now.');
    };
    const evicted = { name: undefined, close } as never;
    names.noteName(evicted, nameOf('alpha'));
    names.close(evicted);
    expect(await lookUp({ query: 'port 9999' })).toContain('9999 now');
  });

  it('stays at hand only as far as there is room', async () => {
    const { store, read } = await fill(['alpha', 'beta']);
    const { lookUp } = converse(store, { heldBytes: 1 });
    for (const _ of [1, 2]) expect(await lookUp({ query: 'port' })).toContain('alpha');
    expect(read).toHaveLength(4);
  });

  it('is the newest, no more of them and no more bytes than may be; the model is told what was left out', async () => {
    const { store } = await fill(['alpha', 'beta', 'gamma']);
    const listed = await store.list({ prefix: '' });
    const few = await converse(store, { conversations: 2 }).lookUp({ query: 'port' });
    const small = await converse(store, { bytes: listed[0]!.bytes! + 1 }).lookUp({ query: 'port' });
    expect(few).toContain('gamma');
    expect(few).toContain('beta');
    expect(few).not.toContain('alpha');
    expect(few).toContain('[not looked into: 1 earlier conversation; too much for one lookup]');
    expect(small).toContain('gamma');
    expect(small).not.toContain('beta');
    expect(small).toContain('[not looked into: 2 earlier conversations; too much for one lookup]');
  });

  it('one that is too large stands in no other’s way', async () => {
    const { store, write } = await fill(['alpha']);
    await write(nameOf('large'), 'x'.repeat(5_000));
    expect(await converse(store, { bytes: 2_000 }).lookUp({ query: 'port' })).toContain('alpha');
  });

  it('does without what the store does not give, and says so', async () => {
    const { store } = await fill(['alpha', 'beta']);
    const fail = (): Promise<never> => Promise.reject(new StoreError('corrupt', 'what stands there cannot be read'));
    const broken = { ...store, read: (id: string) => (id === nameOf('beta') ? fail() : store.read(id)) };
    const { lookUp } = converse(broken);
    const told = await lookUp({ query: 'port' });
    expect(told).toContain('alpha');
    expect(told).toContain('[not looked into: 1 earlier conversation; the store did not');
    // What failed once is tried again.
    broken.read = store.read;
    expect(await lookUp({ query: 'port' })).toContain('beta');
    const gone = converse({ ...store, list: fail });
    expect(await gone.lookUp({ query: 'summary' })).toMatch(/all was read[\s\S]*\[not looked into: earlier/);
    expect(await gone.lookUp({ reference: 'e7' })).toContain('[not looked into: earlier conversations; the store');
    const deleted = { ...store, read: () => Promise.reject(new StoreError('not-found', 'deleted')) };
    expect(await converse(deleted).lookUp({ query: 'summary' })).not.toContain('earlier');
  });

  it('does not wait for a store that is too slow, says so, and has it the next time', async () => {
    const { store, read } = await fill(['alpha', 'beta']);
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow = { ...store, read: (id: string) => answered.then(() => store.read(id)) };
    const { lookUp } = converse(slow, { patienceMs: 20 });
    expect(await lookUp({ query: 'summary' })).toMatch(
      /all was read[\s\S]*\[not looked into: 2 earlier conversations; still/,
    );
    answer();
    await expect.poll(() => read.length).toBe(2);
    await expect.poll(() => lookUp({ query: 'port' })).toMatch(/alpha[\s\S]*beta|beta[\s\S]*alpha/);
    expect(read).toHaveLength(2);
  });

  it('asks for several small ones at once, and for large ones one by one', async () => {
    const countAtOnce = async (chars: number): Promise<number> => {
      const { store, write } = await fill([]);
      for (let n = 0; n < 20; n++) await write(nameOf(`n${n}`), `${n}`.padEnd(chars, ' and more'));
      let [now, most] = [0, 0];
      const counted = {
        ...store,
        async read(id: string) {
          most = Math.max(most, ++now);
          await new Promise((resolve) => setImmediate(resolve));
          now--;
          return store.read(id);
        },
      };
      await converse(counted, { bytes: 1e8 }).lookUp({ query: 'summary' });
      return most;
    };
    expect(await countAtOnce(100)).toBe(8);
    expect(await countAtOnce(200_000)).toBe(1);
  });

  it('asks nothing more of a store that has not answered yet', async () => {
    const { store } = await fill(Array.from({ length: 30 }, (_, n) => `n${n}`));
    let asked = 0;
    const silent = {
      ...store,
      read() {
        asked++;
        return new Promise<never>(() => {});
      },
    };
    expect(await converse(silent, { patienceMs: 20 }).lookUp({ query: 'summary' })).toContain('30 earlier');
    expect(asked).toBeLessThan(30);
  });
});
