import { describe, expect, it } from 'vitest';
import { judgeCost } from '../../src/edits/judge-cost.ts';
import { assistant, DEFAULT_PRICES, type NewMessage, user } from '../../src/index.ts';
import { newEditBatch } from '../support/edits.ts';
import { budgetOf, type Circumstances, looking } from '../support/walks.ts';

/** Ten messages of 1,000 characters, which count as tokens here. */
const ten: readonly NewMessage[] = Array.from({ length: 10 }, (_, i) =>
  i % 2 === 0 ? user('q'.repeat(1_000), `m${i}`) : assistant('a'.repeat(1_000), `m${i}`),
);
/** What is said of a batch that empties these messages but for one character each. */
const judged = (places: readonly number[], told: Circumstances = {}, minimum = 0) =>
  looking(
    ten,
    (look) => {
      const batch = newEditBatch(look);
      for (const at of places)
        batch.add(look.slots[at]!, (ref, message) => ({ type: 'replace', ref, message, part: 0, excerpt: ['-'] }));
      return judgeCost(look, batch, minimum);
    },
    told,
  );
const cache = (state: 'warm' | 'cold' | 'unknown', remainingCalls = 1_000) =>
  ({ cache: { state, prices: DEFAULT_PRICES, remainingCalls } }) as const;
const far = { budget: budgetOf({ trigger: 2_000_000 }) };

describe('whether a batch is worth its cache break', () => {
  it('what lies behind its first change must be written anew, in whatever order the changes were made', () => {
    // 3,000 tokens from m7 on, of which 999 go.
    expect(judged([7], { ...cache('warm'), ...far }).reason).toContain('999 tokens in front of 2001 pay back');
    expect(judged([7, 5], { ...cache('warm'), ...far }).reason).toContain('1998 tokens in front of 3002 pay back');
    expect(judged([5, 7], { ...cache('warm'), ...far }).reason).toContain('1998 tokens in front of 3002 pay back');
    expect(judged([], { ...cache('warm'), ...far }).pays).toBe(false);
  });

  it('it must pay back before the calls that are expected are over', () => {
    // (3.75 − 0.3) × 2,001 ÷ (0.3 × 999) is 23.04: 24 calls.
    expect(judged([7], { ...cache('warm', 24), ...far }).pays).toBe(true);
    expect(judged([7], { ...cache('warm', 23), ...far }).pays).toBe(false);
  });

  it('and before the trigger is met at the pace so far', () => {
    // Five answers brought 10,000 tokens: 2,000 a call.
    const until = (trigger: number) =>
      judged([7], { ...cache('warm'), budget: budgetOf({ trigger, target: trigger }) });
    expect(until(10_000 + 24 * 2_000)).toMatchObject({ pays: true, reason: expect.stringContaining('24 expected') });
    expect(until(10_000 + 24 * 2_000 - 1)).toMatchObject({
      pays: false,
      reason: expect.stringContaining('23 expected'),
    });
    expect(until(10_001).reason).toContain(' 0 expected');
  });

  it('small batches wait for their minimum, unless the cache is cold', () => {
    expect(judged([9], { ...cache('warm'), ...far }, 999).pays).toBe(true);
    expect(judged([9], { ...cache('warm'), ...far }, 1_000).pays).toBe(false);
    expect(judged([9], { ...cache('cold'), ...far }, 1_000)).toEqual({
      pays: true,
      reason: 'cold cache: 999 tokens less to write',
    });
  });

  it('under pressure on tokens or bytes it goes whatever it costs, and says why', () => {
    const pressed = (figures: object, trigger?: 'manual' | 'tool' | 'idle' | 'auto' | 'switch') =>
      judged(
        [0],
        { ...cache('warm', 0), budget: budgetOf(figures), ...(trigger === undefined ? {} : { trigger }) },
        5_000,
      );
    const near = { pays: true, reason: 'the limit is near (999 tokens go)' };
    expect(pressed({ trigger: 10_000, target: 5_000 })).toEqual(near);
    expect(pressed({ limits: { bytes: 5_000 } })).toEqual(near);
    expect(pressed({ triggerMessages: 5, targetMessages: 3 }).pays).toBe(false);
    const reasons = (['manual', 'tool', 'idle', 'switch'] as const).map(
      (trigger) => pressed({ trigger: 10_000, target: 5_000 }, trigger).reason,
    );
    expect(reasons).toEqual([
      'asked for (999 tokens go)',
      'asked for by the model (999 tokens go)',
      'done while idle (999 tokens go)',
      'the limit is near (999 tokens go)',
    ]);
  });
});
