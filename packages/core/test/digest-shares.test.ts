import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allotBudget,
  digestShares,
  SAID_FIRST,
  type SectionName,
  sectionNames,
} from '../src/digest/choose/allot-budget.ts';

const total = (allowance: Readonly<Record<SectionName, number>>): number =>
  sectionNames.reduce((sum, name) => sum + allowance[name], 0);

const everything = (amount: number): Record<SectionName, number> =>
  Object.fromEntries(sectionNames.map((name) => [name, amount])) as Record<SectionName, number>;

const demands = fc.record(
  Object.fromEntries(sectionNames.map((name) => [name, fc.oneof(fc.constant(0), fc.nat(30_000))])) as Record<
    SectionName,
    fc.Arbitrary<number>
  >,
);

describe('the table of shares', () => {
  it('adds up to the whole', () => {
    expect(sectionNames.reduce((sum, name) => sum + digestShares[name].percent, 0)).toBe(100);
  });

  it('a section that wants more than there is gets its share, where its share is not too small to say anything', () => {
    for (const budget of [4_000, 20_000]) {
      const allowance = allotBudget(budget, everything(1e9), 1);
      for (const name of sectionNames) {
        const share = (budget * digestShares[name].percent) / 100;
        expect(allowance[name]).toBeCloseTo(Math.max(share, digestShares[name].least), 0);
      }
    }
  });

  it('the smallest budget goes to the request and the rules', () => {
    const allowance = allotBudget(64, everything(1e9), 1);
    expect(allowance.request).toBeGreaterThanOrEqual(digestShares.request.least);
    expect(allowance.constraints).toBeGreaterThanOrEqual(digestShares.constraints.least);
    expect(allowance.request + allowance.constraints).toBeCloseTo(64, 0);
  });

  it('each section appears from its own budget on, and not before', () => {
    for (const name of sectionNames) {
      const { from } = digestShares[name];
      if (from === 0) continue;
      expect(allotBudget(from - 1, everything(1e9), 1)[name]).toBe(0);
      expect(allotBudget(from, everything(1e9), 1)[name]).toBeGreaterThan(0);
    }
  });
});

describe('dividing a budget', () => {
  it('never gives out more than there is, nor more than is wanted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 20_000 }), demands, fc.constantFrom(1, 4), (budget, demand, unit) => {
        const allowance = allotBudget(budget * unit, demand, unit);
        expect(total(allowance)).toBeLessThanOrEqual(budget * unit + 1e-6);
        for (const name of sectionNames) expect(allowance[name]).toBeLessThanOrEqual(demand[name] + 1e-6);
      }),
    );
  });

  it('leaves nothing unused while a section that appears wants more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 20_000 }), demands, (budget, demand) => {
        const allowance = allotBudget(budget, demand, 1);
        const hungry = sectionNames.some(
          (name) => budget >= digestShares[name].from && allowance[name] < demand[name] - 1e-6,
        );
        if (hungry) expect(total(allowance)).toBeGreaterThan(budget - 2);
      }),
    );
  });

  it('what one section does not need flows to the others, by their shares', () => {
    const hungry = { ...everything(1e9), identifiers: 0 };
    const allowance = allotBudget(10_000, hungry, 1);
    expect(total(allowance)).toBeCloseTo(10_000, 0);
    const ratio = (allowance.files / allowance.commands) * (digestShares.commands.percent / digestShares.files.percent);
    expect(ratio).toBeCloseTo(1, 1);
  });
});

describe('what the user said, where nothing else carries it', () => {
  it('comes before all else, rules and words, as far as their parts of the budget go', () => {
    for (const budget of [1_200, 4_000, 12_000]) {
      const plain = allotBudget(budget, everything(1e9), 1);
      const said = allotBudget(budget, everything(1e9), 1, SAID_FIRST);
      expect(said.constraints).toBeGreaterThanOrEqual(budget * 0.3 - 1);
      expect(said.words).toBeGreaterThanOrEqual(budget * 0.2 - 1);
      // The index pays for it, and the lists between do not.
      for (const name of ['files', 'commands', 'request'] as const)
        expect(said[name]).toBeGreaterThanOrEqual(Math.floor(plain[name]));
      expect(total(said)).toBeLessThanOrEqual(budget + 1e-6);
    }
  });

  it('a budget without end gives every section all it wants', () => {
    for (const first of [{}, SAID_FIRST])
      expect(allotBudget(Number.POSITIVE_INFINITY, everything(500), 1, first)).toEqual(everything(500));
  });

  it('takes no more than it needs', () => {
    const said = allotBudget(4_000, { ...everything(1e9), constraints: 50, words: 30 }, 1, SAID_FIRST);
    expect(said).toMatchObject({ constraints: 50, words: 30 });
  });
});
