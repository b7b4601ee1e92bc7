import type { Message } from '@palimpsest/core';
import * as anthropic from '@palimpsest/testing/bodies/anthropic';
import * as chat from '@palimpsest/testing/bodies/chat';
import * as google from '@palimpsest/testing/bodies/gemini';
import * as responses from '@palimpsest/testing/bodies/responses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anthropicMessages, gemini, openaiChat, openaiResponses, type Wire } from '../src/index.ts';
import { foldings, foldView } from './histories.ts';
import { any, targets } from './targets.ts';

interface Source {
  readonly from: string;
  readonly wire: Wire<never>;
  readonly body: object;
}

// A reference to a stored item means that the server holds more than is shown; a trigger stands last or nowhere.
const shown = (responses.everyKind.input as { type?: string }[]).filter(
  ({ type }) => type !== 'item_reference' && type !== 'compaction_trigger',
);

/** Good conversations that use every kind of block. */
const sources: readonly Source[] = [
  { from: 'anthropic', wire: any(anthropicMessages), body: { ...anthropic.everyKind, system: 's', tools: [] } },
  { from: 'chat', wire: any(openaiChat), body: chat.everyKind },
  { from: 'chat, extended', wire: any(openaiChat), body: chat.extended },
  { from: 'responses', wire: any(openaiResponses), body: { ...responses.everyKind, input: shown } },
  { from: 'responses, beta', wire: any(openaiResponses), body: responses.betaKinds },
  { from: 'gemini', wire: any(gemini), body: google.everyKind },
  {
    from: 'gemini, snake case',
    wire: any(gemini),
    body: { contents: [...google.snakeCase.contents, { role: 'user', parts: [{ text: 'go on' }] }] },
  },
];

const read = ({ wire, body }: Source): readonly Message[] => wire.decode(body as never).messages;

describe.each(sources)('$from', (source) => {
  it('S9 any folding of it is taken by its own provider', () => {
    fc.assert(
      fc.property(foldings, (folding) => {
        const { body } = source.wire.encode(foldView(read(source), folding), source.body as never);
        expect(source.wire.validate(body)).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  it.each(targets)('it can go on with $label, whole or folded', ({ wire, template }) => {
    fc.assert(
      fc.property(foldings, (folding) => {
        for (const view of [read(source), foldView(read(source), folding)])
          expect(wire.validate(wire.encode(view, template as never).body)).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });
});
