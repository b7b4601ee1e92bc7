import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newPairTable, putPair } from '../src/digest/choose/pair-table.ts';

/** Numbers as they come: small ones, neighbours, and the largest there are. */
const numbers = fc.oneof(fc.nat(6), fc.nat(70_000), fc.integer({ min: 2 ** 31 - 4, max: 2 ** 31 - 1 }));

describe('a table of pairs', () => {
  it('numbers pairs as a plain map does, whichever of the two comes first', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(numbers, numbers), { maxLength: 400 }), (pairs) => {
        const table = newPairTable();
        const plain = new Map<string, number>();
        for (const [one, other] of pairs) {
          const key = `${Math.min(one, other)} ${Math.max(one, other)}`;
          const number = plain.get(key) ?? plain.size;
          plain.set(key, number);
          expect(putPair(table, one, other)).toBe(number);
        }
        expect(table.size).toBe(plain.size);
      }),
    );
  });

  it('however many there are', () => {
    const table = newPairTable();
    const names = 700;
    const putAll = (): number[] => {
      const found: number[] = [];
      for (let one = 0; one < names; one++)
        for (let other = one + 1; other < names; other++) found.push(putPair(table, other, one));
      return found;
    };
    const first = putAll();
    expect(first.every((number, i) => number === i)).toBe(true);
    expect(putAll()).toEqual(first);
  });
});
