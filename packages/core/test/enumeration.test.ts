import { estimateOnce, exactBudget, fastOrDeep, refusal, shortHistories } from '@palimpsest/testing';
import { expect, it } from 'vitest';
import { emptyLedger, type PresetName, plan, presets } from '../src/index.ts';

/** Below this, two calls in flight and what was typed meanwhile are larger than the budget: the one indivisible thing. */
const SMALLEST = 120;

// A minute of a busy machine is not enough for so many.
it(
  'every short history, under every budget and every preset, gives a valid view within the budget',
  () => {
    const names = Object.keys(presets) as PresetName[];
    const lists = names.map((name) => presets[name]());
    let histories = 0;
    let views = 0;
    const faults: string[] = [];
    for (const history of shortHistories(fastOrDeep(5, 7))) {
      histories++;
      const whole = plan(history, emptyLedger, {
        budget: exactBudget(1_000_000),
        layers: [],
        count: estimateOnce,
      }).tokens;
      for (const [i, layers] of lists.entries()) {
        // A view of T tokens answers every budget from T up to the one it was made for: the next that moves a cut is T − 1.
        for (let tokens = whole; tokens >= SMALLEST; ) {
          const made = plan(history, emptyLedger, { budget: exactBudget(tokens), layers, count: estimateOnce });
          views++;
          const asked = tokens;
          tokens = Math.min(tokens, made.tokens) - 1;
          const wrong = refusal(made.view, history) ?? (made.tokens > asked ? `${made.tokens} tokens` : undefined);
          if (wrong !== undefined && faults.length < 5)
            faults.push(
              `${names[i]} ${asked}: ${wrong} in ${JSON.stringify(history.map((m) => m.parts.map((p) => p.type)))}`,
            );
        }
      }
    }
    console.log(`enumeration: ${histories} histories, ${views} views`);
    expect(faults).toEqual([]);
    expect(histories).toBeGreaterThanOrEqual(704);
  },
  5 * 60_000,
);
