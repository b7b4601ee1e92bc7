import * as wireAnthropic from '@palimpsest/testing/malformed/anthropic';
import * as wireChat from '@palimpsest/testing/malformed/chat';
import * as wireGemini from '@palimpsest/testing/malformed/gemini';
import * as wireResponses from '@palimpsest/testing/malformed/responses';
import type { Good, Row as WireRow } from '@palimpsest/testing/malformed/row';
import { anthropicMessages, gemini, openaiChat, openaiChatAlternating, openaiResponses } from '@palimpsest/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_MODELS, type Sim, type SimModel, startSim } from '../src/index.ts';
import * as anthropic from './malformed/anthropic.ts';
import * as chat from './malformed/chat.ts';
import * as google from './malformed/gemini.ts';
import * as responses from './malformed/responses.ts';
import type { Row } from './malformed/row.ts';
import { signedCalls, signedThinking } from './signed.ts';
import { post } from './talk.ts';

interface Side {
  readonly name: string;
  readonly path: string;
  readonly rows: readonly Row[];
  readonly wireRows: readonly WireRow[];
  readonly good: readonly Good[];
  violations(body: object, previous?: object): number;
  /** Signatures as this simulator makes them; a wire only asks that there are some. */
  signed?(body: object, previous?: object): object;
}

const violations =
  (wire: { validate(body: never, options?: { previous?: never }): readonly unknown[] }) =>
  (body: object, previous?: object): number =>
    wire.validate(body as never, previous === undefined ? {} : { previous: previous as never }).length;

const like = (name: string, more: Partial<SimModel>): SimModel => ({
  ...DEFAULT_MODELS.find((model) => model.name === name)!,
  ...more,
});

/** The tables' own names of models, and one that may be continued, which is a rule of models and not of conversations. */
const models: readonly SimModel[] = [
  like('claude-opus-5-5', { prefill: true }),
  like('claude-opus-5', { prefill: true }),
  like('claude-opus-5', { name: 'm', prefill: true }),
  like('gpt-5.5', { name: 'm', maxOutput: 1_000_000, window: 100_000_000 }),
  like('gpt-5.5', { name: 'strict', alternates: true }),
];

const sides: readonly Side[] = [
  {
    name: 'Anthropic Messages',
    path: '/v1/messages',
    rows: anthropic.rows,
    wireRows: wireAnthropic.rows,
    good: wireAnthropic.good,
    violations: violations(anthropicMessages),
    signed: (body, previous) => ({ max_tokens: 10, ...signedThinking(body, previous) }),
  },
  {
    name: 'OpenAI Chat',
    path: '/v1/chat/completions',
    rows: chat.rows,
    wireRows: wireChat.rows,
    // OpenAI itself takes nothing of what other servers add to its format.
    good: wireChat.good
      .filter(([what]) => what !== 'what other servers add')
      .map(([what, body]) => [what, { ...body, model: 'm' }]),
    violations: violations(openaiChat),
  },
  {
    name: 'a chat server that wants roles in turn',
    path: '/v1/chat/completions',
    rows: [],
    wireRows: wireChat.alternatingRows,
    good: wireChat.alternatingGood,
    violations: violations(openaiChatAlternating),
    signed: (body) => ({ ...body, model: 'strict' }),
  },
  {
    name: 'OpenAI Responses',
    path: '/v1/responses',
    rows: responses.rows,
    wireRows: wireResponses.rows,
    good: wireResponses.good,
    violations: violations(openaiResponses),
  },
  {
    name: 'Gemini',
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    rows: google.rows,
    wireRows: wireGemini.rows,
    good: wireGemini.good,
    violations: violations(gemini),
  },
];

const betas = { 'anthropic-beta': 'context-management-2025-06-27,compact-2026-09-04' };
/** What only a server that held the conversation could judge, and what this one does not do. */
const BEYOND = ['unknown-held', 'not-simulated'];

describe.each(sides)('$name: validator and simulator agree', ({ path, rows, wireRows, good, signed, ...side }) => {
  let sim: Sim;
  beforeAll(async () => {
    sim = await startSim({ models });
  });
  afterAll(() => sim.close());

  const ask = async (body: object, previous?: object) => {
    // What the server remembers of one row must not judge the next.
    if (previous !== undefined) {
      await sim.close();
      sim = await startSim({ models });
    }
    const needsSignatures = path.includes('gemini') && previous !== undefined;
    const sent = needsSignatures ? signedCalls(body) : (signed?.(body, previous) ?? body);
    if (previous !== undefined) await post(sim.url, path, signed?.(previous) ?? previous, betas);
    const at = needsSignatures ? path.replace('gemini-2.5-pro', 'gemini-3-pro-preview') : path;
    const said = await post(sim.url, at, sent, betas);
    return { status: said.status, rule: said.headers.get('x-sim-rule') ?? '', text: said.text.slice(0, 300) };
  };

  it('on what the simulator refuses', () => {
    const unseen = rows
      .filter(({ shared }) => shared === true)
      .filter(({ body }) => side.violations(body as object) === 0);
    expect(unseen.map(({ what }) => what)).toEqual([]);
  });

  // The limits by bytes are tested where it is not done four times.
  const refused = wireRows.filter(([rule]) => rule !== 'too-many-bytes');
  it.each(refused.map(([rule, at, body, previous]) => ({ rule, at, body, previous })))(
    'on what the validator refuses: $rule at "$at"',
    async ({ body, previous }) => {
      const said = await ask(body, previous);
      expect(said.status, said.text).toBeGreaterThanOrEqual(400);
      expect(said.status).toBeLessThan(500);
      expect(BEYOND).not.toContain(said.rule);
    },
  );

  it.each(good.map(([what, body, previous]) => ({ what, body, previous })))(
    'on what is right: $what',
    async ({ body, previous }) => {
      const said = await ask(body, previous);
      if (!BEYOND.includes(said.rule)) expect(said.status, said.text).toBe(200);
    },
  );
});
