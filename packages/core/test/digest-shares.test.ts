import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allotBudget, digestShares, type WorkSection, workSections } from '../src/digest/choose/allot-budget.ts';

const total = (allowance: Readonly<Record<WorkSection, number>>): number =>
  workSections.reduce((sum, name) => sum + allowance[name], 0);

const everything = (amount: number): Record<WorkSection, number> =>
  Object.fromEntries(workSections.map((name) => [name, amount])) as Record<WorkSection, number>;

const demands = fc.record(
  Object.fromEntries(workSections.map((name) => [name, fc.oneof(fc.constant(0), fc.nat(30_000))])) as Record<
    WorkSection,
    fc.Arbitrary<number>
  >,
);

describe('the table of shares', () => {
  it('adds up to the whole', () => {
    expect(workSections.reduce((sum, name) => sum + digestShares[name].percent, 0)).toBeCloseTo(100, 6);
  });

  it('a section that wants more than there is gets its share, where its share is not too small to say anything', () => {
    for (const budget of [4_000, 20_000]) {
      const allowance = allotBudget(budget, everything(1e9), 1);
      for (const name of workSections) {
        const { percent, most = Infinity } = digestShares[name];
        const share = Math.min((budget * percent) / 100, most);
        // What one leaves that has enough, the others share.
        if (most === Infinity) expect(allowance[name]).toBeGreaterThanOrEqual(Math.floor(share));
        else expect(allowance[name]).toBeCloseTo(Math.max(share, digestShares[name].least), 0);
      }
    }
  });

  it('of a small digest commands and lines get less, and files and the index what they leave', () => {
    const [small, large] = [1_499, 1_500].map((budget) => allotBudget(budget, everything(1e9), 1));
    expect(small?.commands).toBeLessThan(0.6 * (large?.commands ?? 0));
    expect(small?.statements).toBeLessThan(large?.statements ?? 0);
    for (const name of ['files', 'identifiers'] as const)
      expect(small?.[name]).toBeGreaterThan(large?.[name] ?? Infinity);
  });

  it('a section that has enough leaves the rest to those that want more, and takes it where none does', () => {
    const { most = 0 } = digestShares.statements;
    expect(allotBudget(20_000, everything(1e9), 1).statements).toBeCloseTo(most, 0);
    expect(allotBudget(20_000, { statements: 1e9, files: 100 }, 1).statements).toBeCloseTo(19_900, 0);
  });

  it('each section appears from its own budget on, and not before', () => {
    for (const name of workSections) {
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
        for (const name of workSections) expect(allowance[name]).toBeLessThanOrEqual(demand[name] + 1e-6);
      }),
    );
  });

  it('leaves nothing unused while a section that appears wants more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 20_000 }), demands, (budget, demand) => {
        const allowance = allotBudget(budget, demand, 1);
        const hungry = workSections.some(
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

describe('beside a text that stands first', () => {
  it('the lists of files and commands have their shares before the index, which takes what is left', () => {
    const lists = allotBudget(4_000, everything(1e9), 1, 8_000);
    for (const name of ['files', 'commands', 'todo'] as const)
      expect(lists[name]).toBeGreaterThanOrEqual(Math.floor((8_000 * digestShares[name].percent) / 100) - 1);
    expect(lists.identifiers).toBeLessThan((8_000 * digestShares.identifiers.percent) / 100 / 2);
    expect(total(lists)).toBeLessThanOrEqual(4_000 + 1e-6);
  });

  it('a budget without end gives every section all it wants', () => {
    expect(allotBudget(Number.POSITIVE_INFINITY, everything(500), 1)).toEqual(everything(500));
  });

  it('which sections appear is a matter of the whole digest, not of what is left of it', () => {
    expect(allotBudget(300, everything(1e9), 1).errors).toBe(0);
    expect(allotBudget(300, everything(1e9), 1, 1_000).errors).toBeGreaterThan(0);
    expect(total(allotBudget(0, everything(1e9), 1, 1_000))).toBe(0);
    expect(total(allotBudget(-5, everything(1e9), 1, 1_000))).toBe(0);
  });
});
