import { expect, test } from 'vitest';
import { budget, check, digest, repair, switchesFrom } from '../src/index.ts';

const refusals: readonly (readonly [what: string, run: () => unknown, names: string])[] = [
  ['a misspelt option', () => budget({ window: 1_000, triger: { tokens: 5 } } as never), '"triger"'],
  ['a bare number as trigger', () => budget({ window: 1_000, trigger: 5_000 as never }), '"trigger"'],
  ['a fraction above 1', () => budget({ window: 1_000, keep: { fraction: 35 } }), '"keep"'],
  ['a window in words', () => budget({ window: '200k' as never }), '"window"'],
  ['a misspelt limit', () => budget({ window: 1_000, limits: { image: 3 } as never }), '"image"'],
  ['a switch of the wrong type', () => budget({ window: 1_000, switches: { disabled: 'no' as never } }), '"disabled"'],
  ['an answer of no tokens', () => budget({ window: 1_000, maxOutput: 0 }), '"maxOutput"'],
  ['a misspelt option of a digest', () => digest([], { maxToken: 500 } as never), '"maxToken"'],
  ['a counter that is none', () => digest([], { maxTokens: 500, countText: 4 as never }), '"countText"'],
  ['a history that is no list, to mend', () => repair('hello' as never), 'list of messages'],
  ['a history that is no list, to check', () => check(undefined as never), 'list of messages'],
  ['an environment that is none', () => switchesFrom('PALIMPSEST_WINDOW=5' as never), 'process.env'],
];

test.each(refusals)('%s is a bad option, and the error names it', (_, run, names) => {
  expect(run).toThrow(expect.objectContaining({ code: 'bad-option', message: expect.stringContaining(names) }));
});
