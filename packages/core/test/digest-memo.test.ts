import { expect, test } from 'vitest';
import { newBriefMemo } from '../src/brief-memo.ts';
import { listNames } from '../src/digest/evidence/statement-names.ts';

test('a brief memo holds no more than it was allowed, however many sessions there are, and always the newest half of that', () => {
  const memo = newBriefMemo<object, number>(4);
  const keys = Array.from({ length: 20 }, () => ({}));
  keys.forEach((key, i) => {
    memo.set(key, i);
    const held = keys.flatMap((one) => memo.get(one) ?? []);
    expect(held.length).toBeLessThanOrEqual(4);
    expect(held.slice(-2)).toEqual(i === 0 ? [0] : [i - 1, i]);
  });
});

test('what the memo has forgotten about a statement is read again, and is the same', () => {
  const statements = Array.from({ length: 20_001 }, (_, n) => ({
    source: 'shown' as const,
    about: 'src/a.ts',
    at: n,
    text: `export const LIMIT_${n} = readLimit('db/main.ts');`,
  }));
  const [opening] = statements;
  const first = opening === undefined ? [] : listNames(opening);
  for (const statement of statements) listNames(statement);
  const again = opening === undefined ? [] : listNames(opening);
  expect(first).toContain('LIMIT_0');
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});
