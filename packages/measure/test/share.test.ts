import { expect, it } from 'vitest';
import { addRecalls, addShares, averageRecall, fractionOf, measureRecall, shareKept } from '../src/held/share.ts';

it('shares are added need by need, so that a place where much was needed counts for more', () => {
  const sum = addShares([
    { held: 1, needed: 1 },
    { held: 0, needed: 9 },
  ]);
  expect(sum).toEqual({ held: 1, needed: 10 });
  expect(fractionOf(sum)).toBe(0.1);
});

it('what is not lost is kept', () => {
  expect(shareKept({ needed: 5, lost: ['a', 'b'] })).toEqual({ held: 3, needed: 5 });
});

it('recall is the share of needs that are there, for each kind by itself', () => {
  const needs = { identifiers: [1, 2, 3, 4], files: [5, 6], commands: [] };
  const recall = measureRecall(needs, (number) => number === 1 || number === 5);
  expect(recall).toEqual({
    identifiers: { held: 1, needed: 4 },
    files: { held: 1, needed: 2 },
    commands: { held: 0, needed: 0 },
  });
  expect(addRecalls([recall, recall]).identifiers).toEqual({ held: 2, needed: 8 });
});

it('the mean of recall leaves out kinds of which nothing was needed', () => {
  const nothing = { held: 0, needed: 0 };
  expect(averageRecall({ identifiers: { held: 1, needed: 4 }, files: { held: 3, needed: 4 }, commands: nothing })).toBe(
    0.5,
  );
  expect(averageRecall({ identifiers: nothing, files: nothing, commands: nothing })).toBeNaN();
});
