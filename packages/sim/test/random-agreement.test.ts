import { anthropicMessages, gemini, openaiChat, openaiResponses } from '@palimpsest/wire';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_MODELS, type Sim, startSim } from '../src/index.ts';
import { damage, damaged, rounds, written } from './conversations.ts';
import { post } from './talk.ts';

type Validate = (body: never) => readonly unknown[];

const sides = [
  {
    api: 'messages',
    path: '/v1/messages',
    validate: anthropicMessages.validate as Validate,
    body: (messages: unknown) => ({ model: 'claude-opus-5', max_tokens: 10, messages }),
  },
  {
    api: 'chat',
    path: '/v1/chat/completions',
    validate: openaiChat.validate as Validate,
    body: (messages: unknown) => ({ model: 'gpt-4o', messages }),
  },
  {
    api: 'responses',
    path: '/v1/responses',
    validate: openaiResponses.validate as Validate,
    body: (input: unknown) => ({ model: 'gpt-5.5', input }),
  },
  {
    api: 'gemini',
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    validate: gemini.validate as Validate,
    body: (contents: unknown) => ({ contents }),
  },
] as const;

describe.each(sides)('$api', ({ api, path, validate, body }) => {
  let sim: Sim;
  const models = DEFAULT_MODELS.map((model) => ({ ...model, prefill: true }));
  beforeAll(async () => {
    sim = await startSim({ models });
  });
  afterAll(() => sim.close());

  it('a conversation that is whole is taken by both', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (list) => {
        const one = body(written[api](list));
        expect(validate(one as never)).toEqual([]);
        const said = await post(sim.url, path, one);
        expect(said.status, said.text).toBe(200);
      }),
      { numRuns: 25 },
    );
  });

  it('a damaged one is refused by both or by none', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(rounds, damage, async (list, what) => {
        const one = body(damaged(written[api](list), what));
        const found = validate(one as never);
        const said = await post(sim.url, path, one);
        if (said.status !== 200) refused++;
        expect(said.status === 200, `${said.text} but ${JSON.stringify(found)}`).toBe(found.length === 0);
      }),
      { numRuns: 100 },
    );
    expect(refused).toBeGreaterThan(15);
  });
});
