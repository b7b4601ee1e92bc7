import { assistant, type Message, user } from '@palimpsest/core';
import type { SimEntry, SimRequest } from '@palimpsest/sim';
import { describe, expect, it } from 'vitest';
import { readingModel } from '../src/live/reading-model.ts';
import { splitBill } from '../src/live/split-bill.ts';

const PROMPT = 'Read every file in lib. Never modify lib/part-007.ts.';

const asked = (words: string, tools: readonly string[], n: number): SimRequest =>
  ({ messages: [user('Go.'), assistant('Yes.'), user(words)] as readonly Message[], tools, n, body: {} }) as never;

describe('the scripted model of the live bench', () => {
  it.each([
    ['codex', 'Create a handoff summary for another LLM that will resume the task.'],
    ['Qwen Code', 'First, reason in your scratchpad. Then, generate the <state_snapshot>.'],
    ['opencode', 'Create a new anchored summary from the conversation history so another agent can continue.'],
    ['pi', 'Create a structured context checkpoint summary that another LLM will use to continue the work.'],
  ])('writes %s the summary that it asks for, whether it sends tools along or not', async (_, words) => {
    for (const tools of [[], ['read_file']]) {
      const model = readingModel('/p', 3, PROMPT);
      await model(asked('Go on.', ['read_file'], 1));
      const { text = '' } = await model(asked(words, tools, 2));
      expect(text).toContain(PROMPT);
      expect(text).toContain('CEILING_0 = 200003');
      expect([model.isSummary(1), model.isSummary(2), model.read()]).toEqual([false, true, 1]);
    }
  });

  it('reads on at any other request, and says a few words where it has no tool to read with', async () => {
    const model = readingModel('/p', 3, PROMPT);
    expect((await model(asked(PROMPT, ['read_file'], 1))).calls).toHaveLength(1);
    expect((await model(asked('Generate a title.', [], 2))).text).toBe('Reading the ledger');
  });

  it('says words beside its calls, but as Gemini it calls in silence', async () => {
    const model = readingModel('/p', 3, PROMPT);
    const request = asked(PROMPT, ['read_file'], 1);
    const spoken = await model({ ...request, api: 'openai-chat' });
    const silent = await model({ ...request, api: 'gemini' });
    expect([spoken.text, silent.text]).toEqual(['Part 0.', undefined]);
    expect([spoken.calls?.length, silent.calls?.length]).toEqual([1, 1]);
  });

  it.each(['responseJsonSchema', 'responseSchema'])('follows the schema of `%s` and reads nothing', async (field) => {
    const schema = {
      type: 'object',
      properties: {
        analysis: { type: 'STRING' },
        confidence: { type: 'number', minimum: 0 },
        state: { type: 'string', enum: ['working', 'stuck'] },
        signs: { type: 'array', items: { type: 'string' }, minItems: 1 },
        next: { anyOf: [{ type: 'null' }, { type: 'string' }] },
        stuck: { type: 'boolean' },
        besides: { type: 'string' },
      },
      required: ['analysis', 'confidence', 'state', 'signs', 'next', 'stuck'],
    };
    const model = readingModel('/p', 3, PROMPT);
    const body = { generationConfig: { responseMimeType: 'application/json', [field]: schema } };
    const { text = '', calls } = await model({ ...asked('Is it stuck?', [], 1), body });
    const words = 'Each call reads another file.';
    expect(JSON.parse(text)).toEqual({
      analysis: words,
      confidence: 0,
      state: 'working',
      signs: [words],
      next: null,
      stuck: false,
    });
    expect([calls, model.read()]).toEqual([undefined, 0]);
  });
});

describe('where the money of a run goes', () => {
  const entry = (input: number, cacheRead: number, output: number, money = 0): SimEntry =>
    ({ usage: { input, cacheRead, cacheWrite: 0, cacheWriteHour: 0, output, reasoning: 0 }, money }) as never;
  const prices = { input: 2, cacheRead: 1, cacheWrite: 3, output: 10 };

  it('is split without a remainder into what is read, said, written anew and answered', () => {
    const work = [entry(100, 0, 5), entry(50, 100, 5), entry(30, 90, 5), entry(10, 110, 5)];
    const spent = splitBill(work, [entry(1, 1, 1, 0.5)], { prices });
    const units = (money: number): number => Math.round(money * 1_000_000);
    expect([spent.prefix, spent.view, spent.said, spent.anew, spent.answers].map(units)).toEqual([
      270, 30, 320, 60, 200,
    ]);
    expect(spent.summaries).toBe(0.5);
    const whole = 190 * prices.input + 300 * prices.cacheRead + 20 * prices.output;
    const { summaries: _, ...parts } = spent;
    expect(units(Object.values(parts).reduce((sum, one) => sum + one, 0))).toBe(whole);
  });
});
