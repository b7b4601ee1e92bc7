import { emptyLedger, type Message, type PresetName, plan, presets, reasoning, repair } from '@palimpsest/core';
import { expect, it } from 'vitest';
import { shortHistories } from '../../core/test/histories.ts';
import { exactly } from '../../core/test/views.ts';
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
    { ...target, thinks: false, longest: 5, least: 10_000 },
    { ...target, thinks: true, longest: 4, least: 1_500 },
  ]),
)(
  'every short history under every budget and every preset encodes to a body that is valid: $label, with thinking: $thinks',
  ({ wire, template, thinks, longest, least }) => {
    const names = Object.keys(presets) as PresetName[];
    const lists = names.map((name) => presets[name]());
    const faults: string[] = [];
    let bodies = 0;
    for (const short of shortHistories(longest)) {
      const history = thinks ? thinking(short as readonly Message[], wire.name) : (short as readonly Message[]);
      const body = wire.encode(history, template as never).body;
      const { messages: given, rules } = wire.decode(body);
      const { messages } = repair(given);
      const whole = plan(messages, emptyLedger, { budget: exactly(1_000_000), layers: [], wire: rules }).tokens;
      for (const [i, layers] of lists.entries()) {
        for (let tokens = whole; tokens >= SMALLEST; ) {
          const made = plan(messages, emptyLedger, { budget: exactly(tokens), layers, wire: rules });
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
    expect(bodies).toBeGreaterThan(least);
  },
);
