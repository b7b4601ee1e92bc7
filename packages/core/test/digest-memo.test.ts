import { expect, test } from 'vitest';
import { newBriefMemo } from '../src/brief-memo.ts';
import { listNames } from '../src/digest/evidence/statement-names.ts';

test('a brief memo holds no more than it was allowed, however many sessions there are', () => {
  const memo = newBriefMemo<object, number>(2);
  const keys = [{}, {}, {}] as const;
  keys.forEach((key, i) => {
    memo.set(key, i);
  });
  expect(keys.map((key) => memo.get(key))).toEqual([undefined, undefined, 2]);
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
