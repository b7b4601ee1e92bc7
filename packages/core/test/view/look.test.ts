import { describe, expect, it } from 'vitest';
import { estimateText, type Look } from '../../src/index.ts';
import { completeCircumstances } from '../../src/view/circumstances.ts';
import { hasCrossed } from '../../src/view/look.ts';
import { roomy } from '../support/walks.ts';

describe('circumstances', () => {
  it('what is not stated is assumed: nobody can be asked, nothing is demanded, the cache is unknown', () => {
    expect(completeCircumstances({ budget: roomy })).toEqual({
      budget: roomy,
      trigger: 'auto',
      asked: {},
      wire: { reasoning: 'free', nativeEditing: false },
      canRecall: true,
      keepsUserText: true,
      subagent: false,
      now: undefined,
      cache: {
        state: 'unknown',
        prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
        remainingCalls: 20,
      },
      countText: estimateText,
      can: new Set(),
      facts: new Map(),
      overhead: { system: 0, tools: 0, tokens: 0, bytes: 0 },
    });
  });

  it('what is stated counts, and a value of undefined states nothing', () => {
    const told = completeCircumstances({ budget: roomy, trigger: undefined, subagent: true, now: 0 });
    expect(told).toMatchObject({ trigger: 'auto', subagent: true, now: 0 });
  });
});

it('a multiple of a step is crossed where the fresh messages carried the context to it or over it', () => {
  const crossed = (tokens: number, freshTokens: number): boolean => hasCrossed({ tokens, freshTokens } as Look, 100);
  expect([crossed(199, 90), crossed(199, 100), crossed(200, 1), crossed(200, 0)]).toEqual([false, true, true, false]);
  expect([crossed(250, 50), crossed(250, 51)]).toEqual([false, true]);
  expect(crossed(199, 99)).toBe(false);
});
