import { describe, expect, it } from 'vitest';
import { createSession, text, user } from '../../src/index.ts';
import { adoptCopy, copyData, keepNote, readNote } from '../../src/message/copy-data.ts';
import { weighMessage } from '../../src/view/slot.ts';

const said = { id: 'm1', role: 'user', origin: 'human', parts: [text('hello')] } as const;

describe('copies', () => {
  it('are handed back as they are, alone and inside of others', () => {
    const copy = copyData({ a: [1, { b: 2 }] }, 'a thing');
    expect(copyData(copy, 'a thing')).toBe(copy);
    expect(copyData([copy], 'a list')[0]).toBe(copy);
    expect(copyData(copyData([1, [2]], 'a list'), 'a list')).toEqual([1, [2]]);
  });

  it('of what says itself what JSON is to hold are handed back, too', () => {
    const copy = copyData({ toJSON: () => ({ a: 1 }) } as object, 'a thing');
    expect(copy).toEqual({ a: 1 });
    expect(copyData(copy, 'a thing')).toBe(copy);
  });

  it('look like what was copied: nothing tells them apart that a host could see', () => {
    const copy = copyData(said, 'a message');
    expect(copy).toStrictEqual(said);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(said));
    expect(Reflect.ownKeys({ ...copy })).toEqual(Reflect.ownKeys(said));
    expect(structuredClone(copy)).toStrictEqual(said);
  });

  it('are frozen, and what was made of one is no copy, whatever was carried over to it', () => {
    const copy = copyData(said, 'a message');
    expect(Object.isFrozen(copy)).toBe(true);
    const loose = Object.defineProperties({}, Object.getOwnPropertyDescriptors(copy)) as typeof said;
    const heir = Object.create(copy) as typeof said;
    for (const other of [loose, heir, new Proxy(copy, {}), { ...copy }]) {
      keepNote(other, 'forged');
      expect(readNote(other)).toBeUndefined();
      expect(copyData(other, 'a message')).not.toBe(other);
    }
    expect(readNote(copy)).toBeUndefined();
  });

  it('keep a note, which nobody else has', () => {
    const [copy, twin] = [copyData(said, 'a message'), copyData({ ...said }, 'a message')];
    const made = adoptCopy({ ...copy, id: 'm2' });
    keepNote(copy, 'noted');
    expect([copy, twin, made].map(readNote)).toEqual(['noted', undefined, undefined]);
  });
});

describe('what a message takes', () => {
  it('is counted once by each counter, and again for what may still be changed', () => {
    const counted: string[] = [];
    const count = ({ id }: { readonly id: string }): number => counted.push(id);
    const copy = copyData(said, 'a message');
    const first = weighMessage(copy, count);
    expect(weighMessage(copy, count)).toBe(first);
    expect(weighMessage(copy, () => 7).tokens).toBe(7);
    const loose = { ...copy, id: 'loose' };
    weighMessage(loose, count);
    weighMessage(loose, count);
    expect(counted).toEqual(['m1', 'loose', 'loose']);
  });

  it('is not counted again by a session that shares it with another', () => {
    let counts = 0;
    const count = (): number => ++counts;
    const session = createSession({ window: 10_000, count });
    session.append(user('hello'));
    const before = counts;
    session.fork();
    expect(before).toBeGreaterThan(0);
    expect(counts).toBe(before);
  });
});
