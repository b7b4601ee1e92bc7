import { estimateOnce, exactBudget, histories, refusal } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyLedger, type PresetName, parseLedger, plan, presets } from '../src/index.ts';

const runs = { numRuns: 2_000 };
const preset = fc.constantFrom(...(Object.keys(presets) as PresetName[]));
const tokens = fc.integer({ min: 200, max: 6_000 });

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const one of Object.values(value)) frozen(one);
  }
  return value;
}

describe('laws of the walk', () => {
  it('any history under any budget gives a valid view within it', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const made = plan(history, emptyLedger, {
          budget: exactBudget(size),
          layers: presets[name](),
          count: estimateOnce,
        });
        expect(refusal(made.view, history)).toBeUndefined();
        expect(made.tokens).toBeLessThanOrEqual(size);
        expect(made.fits).toBe(true);
      }),
      runs,
    );
  });

  it('inputs are never mutated', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const ledger = frozen(
          plan(frozen(history), emptyLedger, {
            budget: exactBudget(size),
            layers: presets[name](),
            count: estimateOnce,
          }).ledger,
        );
        plan(history, ledger, {
          budget: frozen(exactBudget(Math.ceil(size / 2))),
          layers: presets[name](),
          count: estimateOnce,
        });
      }),
      runs,
    );
  });

  it('the same input gives the same bytes', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const once = () =>
          JSON.stringify(
            plan(history, emptyLedger, { budget: exactBudget(size), layers: presets[name](), count: estimateOnce }),
          );
        expect(once()).toBe(once());
      }),
      runs,
    );
  });

  it('a ledger survives JSON, and the view with it', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const options = { budget: exactBudget(size), layers: presets[name](), count: estimateOnce };
        const made = plan(history, emptyLedger, options);
        const again = parseLedger(JSON.parse(JSON.stringify(made.ledger)));
        expect(JSON.stringify(plan(history, again, { ...options, layers: [] }).view)).toBe(JSON.stringify(made.view));
      }),
      runs,
    );
  });

  it('tokens never grow from layer to layer', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const { visits } = plan(history, emptyLedger, {
          budget: exactBudget(size),
          layers: presets[name](),
          count: estimateOnce,
        });
        for (const visit of visits) expect(visit.tokensAfter).toBeLessThanOrEqual(visit.tokensBefore);
      }),
      runs,
    );
  });

  it('a second walk changes nothing', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const options = { budget: exactBudget(size), layers: presets[name](), count: estimateOnce };
        const made = plan(history, emptyLedger, options);
        const again = plan(history, made.ledger, options);
        expect(again.view).toEqual(made.view);
        expect(again.ledger).toEqual(made.ledger);
      }),
      runs,
    );
  });
});
