import { estimateOnce, exactBudget, fastOrDeep, histories, refusal } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyLedger, type NewMessage, type PresetName, parseLedger, plan, presets } from '../src/index.ts';
import { corpusOf } from './support/corpus.ts';

const preset = fc.constantFrom(...(Object.keys(presets) as PresetName[]));
const tokens = fc.integer({ min: 200, max: 6_000 });

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const one of Object.values(value)) freeze(one);
  }
  return value;
}

const walkOnce = (history: readonly NewMessage[], name: PresetName, size: number, ledger = emptyLedger) =>
  plan(history, ledger, { budget: freeze(exactBudget(size)), layers: presets[name](), count: estimateOnce });

/** Histories of every shape under every preset, walked once; all that goes in is frozen. */
const corpus = corpusOf(fc.tuple(histories(), preset, tokens), fastOrDeep(500, 3_000), ([raw, name, size]) => {
  const history = freeze(raw);
  return { history, name, size, made: walkOnce(history, name, size) };
});

describe('laws of the walk', () => {
  it('any history under any budget gives a valid view within it', () =>
    corpus.each(({ history, size, made }) => {
      expect(refusal(made.view, history)).toBeUndefined();
      expect(made.tokens).toBeLessThanOrEqual(size);
      expect(made.fits).toBe(true);
    }));

  it('inputs are never mutated', () =>
    corpus.each(({ history, name, size, made }) => {
      walkOnce(history, name, Math.ceil(size / 2), freeze(made.ledger));
    }));

  it('the same input gives the same bytes', () =>
    corpus.each(({ history, name, size, made }) => {
      expect(JSON.stringify(walkOnce(history, name, size))).toBe(JSON.stringify(made));
    }));

  it('a ledger survives JSON, and the view with it', () =>
    corpus.each(({ history, size, made }) => {
      const again = parseLedger(JSON.parse(JSON.stringify(made.ledger)));
      const { view } = plan(history, again, { budget: exactBudget(size), layers: [], count: estimateOnce });
      expect(JSON.stringify(view)).toBe(JSON.stringify(made.view));
    }));

  it("tokens never grow from layer to layer, and with the user's words that come back at the end not beyond the beginning", () =>
    corpus.each(({ made }) => {
      for (const { layer, tokensBefore, tokensAfter } of made.visits)
        expect(tokensAfter).toBeLessThanOrEqual(layer === 'hold-words' ? made.visits[0]!.tokensBefore : tokensBefore);
    }));

  it('a second walk changes nothing', () =>
    corpus.each(({ history, name, size, made }) => {
      const again = walkOnce(history, name, size, made.ledger);
      expect(again.view).toEqual(made.view);
      expect(again.ledger).toEqual(made.ledger);
    }));
});
