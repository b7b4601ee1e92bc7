import {
  estimateOnce,
  exactBudget,
  fastOrDeep,
  histories,
  refusal,
  shortHistories,
  virtualClock,
} from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact, createSession, emptyLedger, type Layer, type PresetName, plan, presets } from '../src/index.ts';
import { bad, good, type Scripted } from './summarizers.ts';
import { askingLayers } from './support/asking-layers.ts';

const SMALLEST = 120;
const lists: readonly (readonly [name: string, layers: readonly Layer[]])[] = [
  ...(Object.keys(presets) as PresetName[]).map((name) => [name, askingLayers(name)] as const),
  ['default, asking nobody in so little room', presets.default()],
];
const summarizers: Readonly<Record<string, () => Scripted>> = {
  good: () => good(),
  'sharing the prefix': () => good({ sharesPrefix: true }),
  empty: bad['returns nothing']!,
  throwing: bad.throws!,
  lying: bad['makes up quotes']!,
};

describe('with the summarizing layers on', () => {
  it.each(Object.keys(summarizers))(
    'every short history, under every budget and preset, gives a valid view within the budget (%s summarizer)',
    async (kind) => {
      let views = 0;
      const faults: string[] = [];
      for (const history of shortHistories(fastOrDeep(4, 5))) {
        const whole = plan(history, emptyLedger, {
          budget: exactBudget(1_000_000),
          layers: [],
          count: estimateOnce,
        }).tokens;
        for (const [name, layers] of lists) {
          for (let tokens = whole; tokens >= SMALLEST; ) {
            const made = await compact(history, emptyLedger, {
              budget: exactBudget(tokens),
              layers,
              count: estimateOnce,
              ports: { summarizer: summarizers[kind]!() },
            });
            views++;
            const wrong = refusal(made.view, history) ?? (made.tokens > tokens ? `${made.tokens} tokens` : undefined);
            if (wrong !== undefined && faults.length < 5) faults.push(`${name} ${tokens}: ${wrong}`);
            tokens = Math.min(tokens, made.tokens) - 1;
          }
        }
      }
      console.log(`enumeration with a summarizer (${kind}): ${views} views`);
      expect(faults).toEqual([]);
      expect(views).toBeGreaterThan(1_000);
    },
  );

  it.each(Object.keys(summarizers))(
    'any history, live, in any window, gives valid views that are prefixes of each other between compactions (%s summarizer)',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(
          histories(),
          fc.constantFrom(...lists),
          fc.integer({ min: 1_200, max: 9_000 }),
          async (history, [, layers], window) => {
            const clock = virtualClock();
            const session = createSession({
              window,
              maxOutput: 100,
              layers,
              ports: { summarizer: summarizers[kind]!(), clock },
            });
            let before: readonly unknown[] = [];
            for (const [i, message] of history.entries()) {
              if (message.role === 'assistant' && i > 0) {
                const { messages, receipt, fits, tokens } = await session.view();
                expect(refusal(messages, history)).toBeUndefined();
                expect(fits).toBe(true);
                expect(tokens).toBeLessThanOrEqual(session.status().budget.blocking);
                if (receipt?.declared !== true) expect(messages.slice(0, before.length)).toEqual(before);
                before = messages;
              }
              session.append(message);
            }
            await session.settled();
          },
        ),
        { numRuns: fastOrDeep(150, 500) },
      );
    },
  );
});
