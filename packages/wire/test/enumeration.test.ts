import {
  emptyLedger,
  type Message,
  type NewMessage,
  type Plan,
  type PresetName,
  plan,
  presets,
  type ReasoningPart,
  reasoning,
  repair,
  type WireRules,
} from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import { estimateOnce, exactBudget, shortHistories } from '@palimpsest/testing';
import { expect, it } from 'vitest';
import { targets } from './targets.ts';

/** Below this, two calls in flight and what was typed meanwhile are larger than the budget: the one indivisible thing. */
const SMALLEST = 120;

/** Of hosts that keep their own messages; one more under `npm run test:deep`. */
const LONGEST = process.env.DEEP === '1' ? 5 : 4;

const NAMES = Object.keys(presets) as PresetName[];
const LISTS = NAMES.map((name) => presets[name]());

interface Planned {
  /** How many budgets were tried. */
  readonly tried: number;
  /** The views that differ, each with the first preset and budget that made it. */
  readonly views: readonly { readonly made: Plan; readonly label: string }[];
}

const planned = new Map<string, Planned>();

/** Every view of a history under every preset and every budget; wires that read the same history share them. */
function planAll(history: readonly NewMessage[], wire?: WireRules): Planned {
  const key = JSON.stringify([history, wire]);
  const known = planned.get(key);
  if (known !== undefined) return known;
  const besides = { count: estimateOnce, ...(wire === undefined ? {} : { wire }) };
  const whole = plan(history, emptyLedger, { budget: exactBudget(1_000_000), layers: [], ...besides }).tokens;
  const views = new Map<string, Planned['views'][number]>();
  let tried = 0;
  for (const [i, layers] of LISTS.entries())
    for (let tokens = whole; tokens >= SMALLEST; tried++) {
      const made = plan(history, emptyLedger, { budget: exactBudget(tokens), layers, ...besides });
      const shown = JSON.stringify([made.view, made.native]);
      if (!views.has(shown)) views.set(shown, { made, label: `${NAMES[i]} ${tokens}` });
      tokens = Math.min(tokens, made.tokens) - 1;
    }
  const found = { tried, views: [...views.values()] };
  planned.set(key, found);
  return found;
}

/** Where each wire keeps what the model thought; a part without these marks is another provider's, and stays behind. */
const MARKS: Readonly<Record<string, (id: string) => Fields>> = {
  'anthropic-messages': () => ({}),
  'openai-chat': () => ({ field: 'reasoning_content' }),
  'openai-responses': (id) => ({ item: { id: `rs_${id}`, summary: [] } }),
  gemini: () => ({}),
};

/** The model thinks before each of its answers, as the provider in question signs it. */
const think = (history: readonly NewMessage[], wire: string): readonly NewMessage[] =>
  history.map((message, i) => {
    if (message.role !== 'assistant') return message;
    const native = { [wire]: MARKS[wire]!(String(i)) } as NonNullable<ReasoningPart['native']>;
    return { ...message, parts: [{ ...reasoning('let me see', 'c2lnbmVk'), native }, ...message.parts] };
  });

it.each(
  targets.flatMap((target) => [
    { ...target, thinks: false },
    { ...target, thinks: true },
  ]),
)(
  'every short history out of a body, under every budget and every preset, encodes to a valid one: $label, with thinking: $thinks',
  ({ wire, template, thinks }) => {
    const faults: string[] = [];
    let bodies = 0;
    for (const short of shortHistories(4)) {
      const plain = wire.encode(short as readonly Message[], template as never).body;
      const body = thinks ? wire.encode(think(short, wire.name) as readonly Message[], template as never).body : plain;
      const hasAnswer = short.some(({ role }) => role === 'assistant');
      if (thinks && hasAnswer) expect(body).not.toEqual(plain);
      const { messages, rules } = wire.decode(body);
      const { tried, views } = planAll(repair(messages).messages, rules);
      bodies += tried;
      for (const { made, label } of views) {
        const sent = wire.encode(made.view, body, { nativeEdits: made.native }).body;
        const [wrong] = wire.validate(sent, { previous: body });
        if (wrong !== undefined && faults.length < 5)
          faults.push(`${label}: ${wrong.path} ${wrong.message} in ${JSON.stringify(sent)}`);
      }
    }
    expect(faults).toEqual([]);
    expect(bodies).toBeGreaterThan(1_500);
  },
);

it('every short history of a host that keeps its own messages, under every budget and every preset, encodes to a valid body for every provider', () => {
  // Where nothing was thought, there is nothing to bind.
  const different = targets.filter(({ label }) => label !== 'anthropic, thinking bound');
  const faults: string[] = [];
  let made = 0;
  for (const history of shortHistories(LONGEST)) {
    const { tried, views } = planAll(history);
    made += tried;
    for (const { made: one, label } of views)
      for (const target of different) {
        const [wrong] = target.wire.validate(target.wire.encode(one.view, target.template as never).body);
        if (wrong !== undefined && faults.length < 5)
          faults.push(`${target.label} ${label}: ${wrong.path} ${wrong.message}`);
      }
  }
  expect(faults).toEqual([]);
  expect(made).toBeGreaterThan(LONGEST === 5 ? 9_000 : 1_500);
});
