import { describe, expect, it } from 'vitest';
import { assistant, type Message, type NewMessage, user } from '../../src/index.ts';
import { type Reading, readDigest } from '../../src/walk/read-digest.ts';
import { stateOf } from '../support/states.ts';

const history: readonly NewMessage[] = Array.from({ length: 12 }, (_, i) =>
  i % 2 === 0
    ? user(`Please keep rule ${i} of the house.`, `m${i}`)
    : assistant(`Rule ${i - 1} is kept in src/rule_${i - 1}.ts.`, `m${i}`),
);
const { base } = stateOf(history);
const countText = (text: string): number => text.length;
const read = (first: number, last: number, before: Reading = {}, messages: readonly Message[] = base) =>
  readDigest(messages, { first, last, maxTokens: 2_000, countText }, before);
/** The transcript with its first messages gone: what was read of them can only come from the reading. */
const forgotten = (from: number): readonly Message[] =>
  base.map((message, i) => (i < from ? { ...message, parts: [{ type: 'text', text: '-' }] } : message));

describe('what digests have read of a transcript', () => {
  it('is not read again: a digest from the start goes on behind it', () => {
    const { reading } = read(0, 5);
    expect(reading.digest?.messages).toBe(6);
    const { made } = read(0, 9, reading, forgotten(6));
    expect(made.text).toBe(read(0, 9).made.text);
    expect(made.text).toContain('rule_0.ts');
  });

  it('is of no use to a digest that begins later, or that ends before it', () => {
    const { reading } = read(0, 9);
    expect(read(2, 11, reading).made.text).toBe(read(2, 11).made.text);
    expect(read(2, 11, reading).made.text).not.toContain('rule_0.ts');
    expect(read(0, 5, reading).made.text).toBe(read(0, 5).made.text);
    expect(read(0, 5, reading).made.text).not.toContain('rule_6.ts');
  });

  it('is replaced by what reaches further, and by nothing else', () => {
    const { reading } = read(0, 5);
    expect(read(0, 3, reading).reading).toBe(reading);
    expect(read(2, 11, reading).reading).toBe(reading);
    expect(read(2, 11).reading).toEqual({});
    expect(read(0, 9, reading).reading.digest?.messages).toBe(10);
  });
});
