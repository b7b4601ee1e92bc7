import { expect, it } from 'vitest';
import { isKnown, liveGenerations } from '../src/benches/generations.ts';
import { FACT_SHAPES, plantFact } from '../src/planted-facts.ts';

it('facts of ten shapes, each said once, are in view or in the first passage found, and all rules stand verbatim, ten compactions later', async () => {
  const { compactions, told, rules, rulesInView } = await liveGenerations(10, 64_000);
  expect(compactions).toBe(10);
  expect(new Set(told.map(({ fact }) => fact.shape))).toEqual(new Set(FACT_SHAPES));
  expect(rules).toBeGreaterThan(1);
  expect(rulesInView).toBe(rules);
  expect(told.filter(isKnown).length / told.length).toBeGreaterThanOrEqual(0.9);
  for (const { isInView, rank } of told) expect(isInView || rank !== undefined).toBe(true);
});

it('no question holds its answer', () => {
  for (const [i, shape] of FACT_SHAPES.entries()) {
    const { fact } = plantFact(shape, i);
    const [value = 'none'] = /\d{4,}/.exec(fact.text) ?? [];
    expect(fact.query).not.toContain(value);
  }
});
