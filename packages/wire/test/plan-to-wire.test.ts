import { budget, emptyLedger, type Message, type PresetName, plan, presets, text } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { histories } from './histories.ts';
import { targets } from './targets.ts';

const names = Object.keys(presets) as PresetName[];

/** The same history with so much text in its results that windows overflow. */
const heavier = (history: readonly Message[], chars: number): readonly Message[] =>
  history.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'result' ? { ...part, content: [...part.content, text('lorem ipsum '.repeat(chars))] } : part,
    ),
  }));

describe.each(targets)('$label', ({ wire, template }) => {
  it.each(names)('what the engine makes of a history with preset %s is taken by the provider', (name) => {
    fc.assert(
      fc.property(
        histories,
        fc.constantFrom(2000, 4000, 16_000),
        fc.constantFrom(1, 20, 200),
        (history, window, chars) => {
          const body = wire.encode(heavier(history, chars), template as never).body;
          const { messages, rules } = wire.decode(body);
          const planned = plan(messages, emptyLedger, {
            budget: budget({ window }),
            layers: presets[name](),
            wire: rules,
            trigger: 'manual',
          });
          const sent = wire.encode(planned.view, body, { nativeEdits: planned.native }).body;
          expect(wire.validate(sent, { previous: body })).toEqual([]);
        },
      ),
      { numRuns: 30 },
    );
  });
});
