import Anthropic from '@anthropic-ai/sdk';
import { CompactionError, type Session } from '@palimpsest/core';
import { palimpsest as middleware, recallTool } from '@palimpsest/sdk/anthropic';
import { palimpsest as keptFetch } from '@palimpsest/sdk/openai';
import { program, type Sim, startSim } from '@palimpsest/sim';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';

let sim: Sim;
afterEach(() => sim.close());

const ask = (content: string) => ({ role: 'user' as const, content });

describe('the Anthropic SDK', () => {
  it('throws what is wrong with the options as it is, at once', async () => {
    sim = await startSim();
    const client = new Anthropic({
      baseURL: sim.url,
      apiKey: 'k',
      middleware: [middleware({ window: () => undefined })],
    });
    const asked = client.messages.create({ model: 'claude-sonnet-5', max_tokens: 10, messages: [ask('Hi.')] });
    await expect(asked).rejects.toThrow(CompactionError);
    expect(sim.requests).toHaveLength(0);
  });

  it("passes the provider's own refusal on where nothing can be hidden", async () => {
    sim = await startSim({ window: 2_000 });
    const client = new Anthropic({ baseURL: sim.url, apiKey: 'k', middleware: [middleware({ window: 2_000 })] });
    const system = 'A rule that must be kept. '.repeat(1_000);
    const asked = client.messages.create({ model: 'claude-sonnet-5', max_tokens: 10, system, messages: [ask('Hi.')] });
    await expect(asked).rejects.toThrow(Anthropic.BadRequestError);
    await expect(asked).rejects.toThrow(/prompt is too long/);
  });

  it('leaves token counting alone', async () => {
    sim = await startSim();
    const client = new Anthropic({ baseURL: sim.url, apiKey: 'k', middleware: [middleware({ window: 500 })] });
    const messages = [ask('word '.repeat(4_000))];
    const { input_tokens } = await client.messages.countTokens({ model: 'claude-sonnet-5', messages });
    expect(input_tokens).toBeGreaterThan(3_000);
  });

  it('lets the model read back what was hidden, by a tool', async () => {
    let session: Session | undefined;
    const recall = recallTool(() => session);
    sim = await startSim({
      window: 4_000,
      model: program([
        ({ messages }) => {
          const reference = /recall (e\d+)/.exec(JSON.stringify(messages))?.[1] ?? 'none';
          return { calls: [{ name: recall.name, input: { reference } }] };
        },
        ({ messages }) => ({ text: JSON.stringify(messages).includes('the number is 4711') ? 'Found it.' : 'No.' }),
      ]),
    });
    const client = new Anthropic({
      baseURL: sim.url,
      apiKey: 'k',
      middleware: [middleware({ window: 4_000, onSession: (one) => (session = one) })],
    });
    const messages: Anthropic.MessageParam[] = [ask('Note: the number is 4711.')];
    for (let n = 0; n < 30; n++)
      messages.push({ role: 'assistant', content: `Noted ${n}. `.repeat(60) }, ask(`Go on with ${n}.`));
    const tools = [{ name: recall.name, description: recall.description, input_schema: recall.schema }];
    const create = () => client.messages.create({ model: 'claude-sonnet-5', max_tokens: 200, tools, messages });
    const first = await create();
    const [call] = first.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
    expect(call!.input).not.toEqual({ reference: 'none' });
    messages.push(
      { role: 'assistant', content: first.content },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call!.id, content: recall.run(call!.input as never) }],
      },
    );
    expect((await create()).content).toMatchObject([{ type: 'text', text: 'Found it.' }]);
  });
});

describe('the OpenAI SDK', () => {
  const create = (client: OpenAI, model = 'gpt-5.5') =>
    client.chat.completions.create({ model, messages: [ask('Hi.')] });

  it('shows what is wrong with the options in words, and does not try again', async () => {
    sim = await startSim();
    const client = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'k', fetch: keptFetch({ window: () => undefined }) });
    await expect(create(client)).rejects.toThrow(/palimpsest: the context window of gpt-5.5 is unknown. State it/);
    await expect(create(client)).rejects.toThrow(OpenAI.BadRequestError);
    expect(sim.requests).toHaveLength(0);
  });

  it('shows what failed on our side as that, and does not take it for a broken connection', async () => {
    sim = await startSim();
    let opened = 0;
    const store = {
      open: () => {
        opened++;
        return Promise.reject(new Error('the disk is full'));
      },
    };
    const client = new OpenAI({
      baseURL: `${sim.url}/v1`,
      apiKey: 'k',
      fetch: keptFetch({ window: 10_000, store }),
    });
    const messages = [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Go on.' },
    ] as const;
    const asked = client.chat.completions.create({ model: 'gpt-5.5', messages: [...messages] });
    await expect(asked).rejects.toThrow('400 palimpsest: the disk is full');
    expect(opened).toBe(1);
    expect(sim.requests).toHaveLength(0);
  });

  it('leaves a conversation that the server holds to the server', async () => {
    sim = await startSim();
    const client = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'k', fetch: keptFetch({ window: 300 }) });
    const first = await client.responses.create({ model: 'gpt-5.5', input: 'Hi.' });
    const input = 'word '.repeat(2_000);
    await client.responses.create({ model: 'gpt-5.5', previous_response_id: first.id, input });
    expect(sim.requests[1]!.body).toEqual({ model: 'gpt-5.5', previous_response_id: first.id, input });
  });

  it('keeps two conversations of one client apart while they take turns', async () => {
    sim = await startSim({
      window: 4_000,
      model: ({ messages }) => ({ text: `I hear ${messages.length}. `.repeat(40) }),
    });
    const client = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'k', fetch: keptFetch({ window: 4_000 }) });
    const histories = ['tea', 'coffee'].map((name) => ({ name, messages: [] as OpenAI.ChatCompletionMessageParam[] }));
    for (let n = 0; n < 25; n++)
      await Promise.all(
        histories.map(async ({ name, messages }) => {
          messages.push(ask(`Tell me fact ${n} about ${name}.`));
          const { choices } = await client.chat.completions.create({ model: 'gpt-5.5', messages });
          messages.push(choices[0]!.message);
        }),
      );
    expect(sim.requests).toHaveLength(50);
    for (const { body, problem } of sim.requests) {
      expect(problem).toBeUndefined();
      const text = JSON.stringify(body);
      expect(text.includes('about tea') && text.includes('about coffee')).toBe(false);
    }
  });
});
