import { createHash } from 'node:crypto';
import type { Message } from '@palimpsest/core';
import { findSteps, type Steps } from '@palimpsest/core/steps';
import { wireCases } from '@palimpsest/testing/wire-cases';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decoded, type Encoded, type EncodeOptions, messageIds } from '../src/index.ts';

/** What steps come to, and how many they were. */
function drive<Result>(steps: Steps<Result>): { readonly value: Result; readonly count: number } {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, count };
  }
}

/** The view that is left of some messages: some gone, some shorter. */
const editMessages = (messages: readonly Message[], seed: number): readonly Message[] =>
  messages.flatMap((message, i) => {
    const fate = (i * 7 + seed) % 5;
    if (fate === 0) return [];
    if (fate !== 1) return [message];
    return [
      { ...message, parts: message.parts.map((part) => (part.type === 'text' ? { ...part, text: 'cut' } : part)) },
    ];
  });

describe.each(wireCases)('$label', ({ wire, bodies, random }) => {
  const [decodeInSteps, encodeInSteps] = [findSteps(wire.decode), findSteps(wire.encode)] as unknown as [
    (body: object) => Steps<Decoded>,
    (messages: readonly Message[], body: object, options?: EncodeOptions) => Steps<Encoded<object>>,
  ];

  it('in steps and at once comes to the same bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...bodies), random), fc.nat(20), (body, seed) => {
        const atOnce = wire.decode(body as never);
        const decoded = drive(decodeInSteps(body)).value;
        expect(JSON.stringify(decoded)).toBe(JSON.stringify(atOnce));
        const ids = atOnce.messages.map(({ id }) => id);
        for (const view of [atOnce.messages, editMessages(atOnce.messages, seed)])
          for (const options of [{}, { ids, cacheBreakpoints: 'edited' }] as const) {
            const encoded = drive(encodeInSteps(view, body, options)).value;
            expect(JSON.stringify(encoded)).toBe(JSON.stringify(wire.encode(view, body as never, options)));
          }
      }),
      { numRuns: 120 },
    );
  });

  it('has a step for every message, in both directions', () => {
    for (const body of bodies) {
      const { value, count } = drive(decodeInSteps(body));
      const edited = editMessages(value.messages, 0);
      expect(count).toBeGreaterThan(value.messages.length * 2);
      expect(drive(encodeInSteps(edited, body)).count).toBeGreaterThan(value.messages.length + edited.length * 2);
    }
  });
});

it('ids are what they have been since the first journal: the SHA-256 of all that was said so far', () => {
  const messages = ['ä \ud83d\ude00 one', 'two', 'two'].map((text) => ({
    role: 'user' as const,
    parts: [{ type: 'text' as const, text }],
  }));
  let running = '';
  const expected = messages.map(({ role, parts }) => {
    running = createHash('sha256')
      .update(`${running}${role}${JSON.stringify(parts)}`)
      .digest('hex');
    return `m-${running.slice(0, 20)}`;
  });
  expect(messageIds(messages)).toEqual(expected);
  expect(messageIds(messages.slice(1, 2))).toEqual(['m-f4102727d854c4f99cc0']);
});
