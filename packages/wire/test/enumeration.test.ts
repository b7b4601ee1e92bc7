import { emptyLedger, type Message, type PresetName, plan, presets, reasoning, repair } from '@palimpsest/core';
import { estimateOnce, exactBudget, shortHistories } from '@palimpsest/testing';
import { expect, it } from 'vitest';
import { targets } from './targets.ts';

/** Below this, two calls in flight and what was typed meanwhile are larger than the budget: the one indivisible thing. */
const SMALLEST = 120;

/** The model thinks before each of its answers, as the provider in question signs it. */
const thinking = (history: readonly Message[], wire: string): readonly Message[] =>
  history.map((message) =>
    message.role === 'assistant'
      ? { ...message, parts: [{ ...reasoning('let me see', 'c2lnbmVk'), native: { [wire]: {} } }, ...message.parts] }
      : message,
  );

it.each(
  targets.flatMap((target) => [
    { ...target, thinks: false },
    { ...target, thinks: true },
  ]),
)(
  'every short history out of a body, under every budget and every preset, encodes to a valid one: $label, with thinking: $thinks',
  ({ wire, template, thinks }) => {
    const names = Object.keys(presets) as PresetName[];
    const lists = names.map((name) => presets[name]());
    const faults: string[] = [];
    let bodies = 0;
    for (const short of shortHistories(4)) {
      const history = thinks ? thinking(short as readonly Message[], wire.name) : (short as readonly Message[]);
      const body = wire.encode(history, template as never).body;
      const { messages: given, rules } = wire.decode(body);
      const { messages } = repair(given);
      const whole = plan(messages, emptyLedger, {
        budget: exactBudget(1_000_000),
        layers: [],
        wire: rules,
        count: estimateOnce,
      }).tokens;
      for (const [i, layers] of lists.entries()) {
        for (let tokens = whole; tokens >= SMALLEST; ) {
          const made = plan(messages, emptyLedger, {
            budget: exactBudget(tokens),
            layers,
            wire: rules,
            count: estimateOnce,
          });
          const sent = wire.encode(made.view, body, { nativeEdits: made.native }).body;
          bodies++;
          const [wrong] = wire.validate(sent, { previous: body });
          if (wrong !== undefined && faults.length < 5)
            faults.push(`${names[i]} ${tokens}: ${wrong.path} ${wrong.message} in ${JSON.stringify(sent)}`);
          tokens = Math.min(tokens, made.tokens) - 1;
        }
      }
    }
    console.log(`enumeration over ${wire.name}: ${bodies} bodies`);
    expect(faults).toEqual([]);
    expect(bodies).toBeGreaterThan(1_500);
  },
);

it('every short history of a host that keeps its own messages, under every budget and every preset, encodes to a valid body for every provider', () => {
  const names = Object.keys(presets) as PresetName[];
  const lists = names.map((name) => presets[name]());
  const faults: string[] = [];
  let views = 0;
  for (const history of shortHistories(5)) {
    const whole = plan(history, emptyLedger, {
      budget: exactBudget(1_000_000),
      layers: [],
      count: estimateOnce,
    }).tokens;
    for (const [i, layers] of lists.entries()) {
      for (let tokens = whole; tokens >= SMALLEST; ) {
        const made = plan(history, emptyLedger, { budget: exactBudget(tokens), layers, count: estimateOnce });
        views++;
        for (const { label, wire, template } of targets) {
          const [wrong] = wire.validate(wire.encode(made.view, template as never).body);
          if (wrong !== undefined && faults.length < 5)
            faults.push(`${label} ${names[i]} ${tokens}: ${wrong.path} ${wrong.message}`);
        }
        tokens = Math.min(tokens, made.tokens) - 1;
      }
    }
  }
  console.log(`enumeration: ${views} views, each for ${targets.length} providers`);
  expect(faults).toEqual([]);
  expect(views).toBeGreaterThan(9_000);
});
