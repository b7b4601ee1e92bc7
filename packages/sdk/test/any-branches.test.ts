import { memoryStore } from '@palimpsest/store';
import { fastOrDeep } from '@palimpsest/testing';
import type { ApiName } from '@palimpsest/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeeper } from '../src/keeper.ts';
import { bodyOf, type Step, validate } from './scripted-client.ts';

const moves = ['read', 'say', 'answer', 'rewind', 'retry', 'clear', 'compact', 'restart', 'again'] as const;
type Move = { readonly client: number; readonly move: (typeof moves)[number]; readonly far: number };

const anyMoves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.record({
    client: fc.nat({ max: 2 }),
    move: fc.oneof(
      { arbitrary: fc.constant('read' as const), weight: 6 },
      { arbitrary: fc.constantFrom(...moves), weight: 5 },
    ),
    far: fc.nat({ max: 12 }),
  }),
  { minLength: 10, maxLength: 60 },
);

/** Two clients of one tenant, one with an id and one without, and one of another tenant; all begin alike. */
const OWNERS = [{ id: 'one' }, {}, { tenant: 'other', id: 'one' }] as const;

interface Client {
  steps: Step[];
  /** What stood where the client has cleared a result. */
  originals: Map<string, string>;
}

const beginning = (): Step[] => [
  { type: 'said', text: 'Read every file.' },
  { type: 'answered', text: 'I read them.' },
  { type: 'said', text: 'Go on.' },
];

describe.each(['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const satisfies readonly ApiName[])(
  '%s',
  (wire) => {
    it('whatever clients do to their histories, what is sent is valid and holds no word but their own', {
      timeout: 300_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(anyMoves, fc.boolean(), async (script, isStored) => {
          const store = memoryStore();
          const options = { window: 3_000, ...(isStored ? { store } : {}) };
          let keeper = createKeeper(options);
          const clients = OWNERS.map((): Client => ({ steps: beginning(), originals: new Map() }));
          let count = 0;
          for (const { client: at, move, far } of script) {
            const client = clients[at]!;
            if (move === 'restart') {
              await keeper.close();
              keeper = createKeeper(options);
            } else act(client, move, far, `${at}w${++count}w`);
            const body = bodyOf(wire, client.steps, 'Work.');
            const kept = await keeper.keep({ wire, body, model: 'm', ...OWNERS[at]! });
            // What a client itself gets wrong is between it and its provider.
            if (validate(wire, body).length === 0) expect(validate(wire, kept!.body)).toEqual([]);
            const sent = JSON.stringify(kept!.body);
            const own = new Set(wordsIn(JSON.stringify([client.steps, [...client.originals.values()]])));
            expect(wordsIn(sent).filter((word) => !own.has(word))).toEqual([]);
            const last = wordsIn(JSON.stringify(client.steps.at(-1)));
            expect(sent).toContain(last.at(-1) ?? 'Go on.');
          }
          await keeper.close();
        }),
        { numRuns: fastOrDeep(15, 300) },
      );
    });
  },
);

const wordsIn = (text: string): readonly string[] => text.match(/\dw\d+w/g) ?? [];

function act(client: Client, move: Exclude<Move['move'], 'restart'>, far: number, word: string): void {
  const { steps } = client;
  const read: Step = {
    type: 'called',
    callId: `toolu_${word}_abcdefghijklm`,
    input: `src/${word}.ts`,
    result: `${word} `.repeat(120),
  };
  const say: Step = { type: 'said', text: `Look at ${word}.`, reminder: `${word} is open` };
  if (move === 'read') steps.push(read);
  if (move === 'say') steps.push(say);
  if (move === 'answer') steps.push({ type: 'answered', text: `It says ${word}.` }, say);
  if (move === 'rewind') client.steps = [...steps.slice(0, Math.max(1, steps.length - far)), say];
  if (move === 'retry') client.steps = [...steps.slice(0, Math.max(1, steps.length - 1)), read];
  if (move === 'compact') client.steps = [{ type: 'said', text: `Summary ${word}: much was read.` }];
  if (move === 'clear')
    client.steps = steps.map((step, i) => {
      if (step.type !== 'called' || i >= steps.length - 2 || i > far) return step;
      client.originals.set(step.callId, client.originals.get(step.callId) ?? step.result);
      return { ...step, result: '[cleared]' };
    });
}
