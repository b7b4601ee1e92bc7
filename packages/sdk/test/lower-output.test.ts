import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { estimateText } from '@palimpsest/core';
import { palimpsestMiddleware } from '@palimpsest/sdk/ai-sdk';
import { palimpsest as middleware } from '@palimpsest/sdk/anthropic';
import { type KeptEvent, palimpsest as keptFetch } from '@palimpsest/sdk/openai';
import { type Sim, type SimModel, startSim } from '@palimpsest/sim';
import { generateText, wrapLanguageModel } from 'ai';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { AI_SDK_LIMITS, BODY_LIMITS, lowerOutput, readOutputLimit } from '../src/conversations/lower-output.ts';

let sim: Sim;
afterEach(() => sim?.close());

const WINDOW = 60_000;
const MOST = 32_000;
const STEPS = 40;

/** Takes answers of any length, and counts them against its window: `input + max_tokens` beyond it is refused. */
const MODEL: SimModel = {
  name: 'gpt-long',
  vendor: 'openai',
  window: WINDOW,
  maxOutput: 64_000,
  prices: { input: 1, output: 1, cacheRead: 0.1, cacheWrite: 1 },
  minimumCachePrefix: 1_024,
};

/** Some three thousand tokens, of words that differ. */
const prose = (n: number): string =>
  Array.from({ length: 260 }, (_, i) => `Line ${i} of step ${n}: the value was ${n * 7_919 + i * 104_729}.`).join('\n');

/** Steps of an agent. */
async function drive(step: (messages: { role: 'user' | 'assistant'; content: string }[]) => Promise<void>) {
  const messages: { role: 'user' | 'assistant'; content: string }[] = [];
  for (let n = 0; n < STEPS; n++) {
    messages.push({ role: 'user', content: `Go on with step ${n}.\n${prose(n)}` });
    await step(messages);
    messages.push({ role: 'assistant', content: `Step ${n} is done.` });
  }
}

const events: KeptEvent[] = [];
const on = (event: KeptEvent): void => void events.push(event);
const countCompactions = (): number => events.splice(0).filter(({ type }) => type === 'compaction-started').length;

function expectFitting(limitOf: (body: Record<string, unknown>) => unknown): void {
  expect(sim.requests).toHaveLength(STEPS);
  expect(sim.requests.filter(({ problem }) => problem !== undefined)).toEqual([]);
  const limits = sim.requests.map(({ body }) => limitOf(body as Record<string, unknown>) as number);
  expect(Math.max(...limits)).toBe(MOST);
  expect(Math.min(...limits)).toBeLessThan(MOST);
  expect(Math.min(...limits)).toBeGreaterThan(1_000);
  expect(countCompactions()).toBeLessThan(STEPS / 4);
}

describe('max_tokens of 32,000 in a window of 60,000 is never refused and does not compact at every step', () => {
  it.each(['max_tokens', 'max_completion_tokens'] as const)('OpenAI SDK, chat, %s', async (name) => {
    sim = await startSim({ models: [MODEL] });
    const fetch = keptFetch({ window: WINDOW, on });
    const client = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'k', fetch, maxRetries: 0 });
    await drive(async (messages) => {
      await client.chat.completions.create({ model: MODEL.name, messages, [name]: MOST });
    });
    expectFitting((body) => body[name]);
  });

  it('OpenAI SDK, chat, where the provider counts a third more than the estimate', async () => {
    sim = await startSim({ models: [MODEL], countText: (text) => Math.ceil(estimateText(text) * 1.33) });
    const fetch = keptFetch({ window: WINDOW, on });
    const client = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'k', fetch, maxRetries: 0 });
    await drive(async (messages) => {
      await client.chat.completions.create({ model: MODEL.name, messages, max_tokens: MOST });
    });
    expectFitting((body) => body.max_tokens);
  });

  it('OpenAI SDK, responses', async () => {
    sim = await startSim({ models: [MODEL] });
    const fetch = keptFetch({ window: WINDOW, on });
    const client = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'k', fetch, maxRetries: 0 });
    await drive(async (input) => {
      await client.responses.create({ model: MODEL.name, input, max_output_tokens: MOST });
    });
    expectFitting((body) => body.max_output_tokens);
  });

  it('Anthropic SDK, with a budget for thinking', async () => {
    sim = await startSim({ window: WINDOW });
    const client = new Anthropic({
      baseURL: sim.url,
      apiKey: 'k',
      middleware: [middleware({ window: WINDOW, on })],
      maxRetries: 0,
    });
    await drive(async (messages) => {
      await client.messages
        .stream({
          model: 'claude-sonnet-5',
          max_tokens: MOST,
          thinking: { type: 'enabled', budget_tokens: 31_000 },
          messages: [...messages],
        })
        .finalMessage();
    });
    const budgets = sim.requests.map(({ body }) => (body as Anthropic.MessageCreateParams).thinking);
    expectFitting((body) => body.max_tokens);
    expect(budgets).toContainEqual({ type: 'enabled', budget_tokens: 31_000 });
    expect(new Set(budgets.map((one) => JSON.stringify(one))).size).toBeLessThan(5);
  });

  it('AI SDK', async () => {
    sim = await startSim({ models: [MODEL] });
    const openai = createOpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'k' });
    const model = wrapLanguageModel({
      model: openai.chat(MODEL.name),
      middleware: palimpsestMiddleware({ window: WINDOW, on }),
    });
    await drive(async (messages) => {
      await generateText({ model, messages, maxOutputTokens: MOST, maxRetries: 0 });
    });
    expectFitting((body) => body.max_tokens ?? body.max_completion_tokens);
  });

  it('Gemini over the kept fetch', async () => {
    sim = await startSim({ window: WINDOW });
    const fetch = keptFetch({ window: WINDOW, on });
    await drive(async (messages) => {
      const contents = messages.map(({ role, content }) => ({
        role: role === 'user' ? 'user' : 'model',
        parts: [{ text: content }],
      }));
      const response = await fetch(`${sim.url}/v1beta/models/gemini-2.5-pro:generateContent`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': 'k' },
        body: JSON.stringify({ contents, generationConfig: { maxOutputTokens: MOST } }),
      });
      expect(response.status).toBe(200);
    });
    expectFitting((body) => (body.generationConfig as Record<string, unknown>).maxOutputTokens);
  });
});

describe('what a request asks for', () => {
  it('is left as the very object it was where it fits, or where it states nothing', () => {
    for (const body of [{ max_tokens: 500 }, { messages: [] }, { thinking: { type: 'enabled', budget_tokens: 9_000 } }])
      expect(lowerOutput(body, 500, BODY_LIMITS)).toBe(body);
  });

  it('is never raised', () => {
    for (const [room, most] of [
      [1, 1],
      [400, 400],
      [9_000, 600],
    ] as const)
      expect(lowerOutput({ max_output_tokens: 600 }, room, BODY_LIMITS)).toEqual({ max_output_tokens: most });
  });

  it.each([
    ['stays where the answer still has room behind it', 20_000, 8_000, 16_000, 8_000],
    ['goes down with the limit', 32_000, 31_000, 20_000, 16_384],
    ["stays at the vendor's least", 32_000, 31_000, 1_100, 1_024],
    ['is left out below it', 32_000, 31_000, 1_024, undefined],
    ['above the limit stays there', 4_000, 8_000, 2_000, 8_000],
  ])("a budget for Anthropic's thinking %s", (_, max_tokens, budget_tokens, room, budget) => {
    const body = { max_tokens, thinking: { type: 'enabled', budget_tokens }, system: 'Work.' };
    expect(lowerOutput(body, room, BODY_LIMITS)).toEqual({
      max_tokens: room,
      system: 'Work.',
      ...(budget === undefined ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }),
    });
  });

  it('leaves nothing that clears thinking in a request that has none any more', () => {
    const body = { max_tokens: 9_000, thinking: { type: 'enabled', budget_tokens: 8_000 } };
    const clearing = { type: 'clear_thinking_20251015' };
    const results = { type: 'clear_tool_uses_20250919' };
    const lower = (edits: readonly object[]): object =>
      lowerOutput({ ...body, context_management: { edits } }, 700, BODY_LIMITS);
    expect(lower([clearing])).toEqual({ max_tokens: 700 });
    expect(lower([clearing, results])).toEqual({ max_tokens: 700, context_management: { edits: [results] } });
  });

  it("has Gemini's budget for thinking within it, or none; one that the model chooses stays", () => {
    const lower = (thinkingBudget: number, room: number): unknown =>
      lowerOutput(
        { generationConfig: { maxOutputTokens: 9_000, thinkingConfig: { thinkingBudget } } },
        room,
        BODY_LIMITS,
      ).generationConfig;
    expect(lower(8_000, 3_000)).toEqual({ maxOutputTokens: 3_000, thinkingConfig: { thinkingBudget: 2_048 } });
    expect(lower(8_000, 300)).toEqual({ maxOutputTokens: 300, thinkingConfig: {} });
    expect(lower(-1, 300)).toEqual({ maxOutputTokens: 300, thinkingConfig: { thinkingBudget: -1 } });
  });

  it('is the sum of limit and budget where the AI SDK calls Anthropic', () => {
    const thinking = { type: 'enabled', budgetTokens: 20_000 };
    const params = { maxOutputTokens: 12_000, providerOptions: { anthropic: { thinking } } };
    expect(readOutputLimit(params, AI_SDK_LIMITS)).toBe(32_000);
    expect(lowerOutput(params, 26_000, AI_SDK_LIMITS)).toEqual({ ...params, maxOutputTokens: 6_000 });
    expect(lowerOutput(params, 16_000, AI_SDK_LIMITS)).toEqual({
      maxOutputTokens: 16_000 - 8_192,
      providerOptions: { anthropic: { thinking: { ...thinking, budgetTokens: 8_192 } } },
    });
    expect(lowerOutput(params, 1_000, AI_SDK_LIMITS)).toEqual({
      maxOutputTokens: 1_000,
      providerOptions: { anthropic: {} },
    });
  });
});
