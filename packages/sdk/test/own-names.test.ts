import Anthropic from '@anthropic-ai/sdk';
import { palimpsest as middleware } from '@palimpsest/sdk/anthropic';
import { palimpsest as keptFetch } from '@palimpsest/sdk/openai';
import { type Sim, startSim } from '@palimpsest/sim';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Taken by no provider as it is. */
const NAME = 'files: read one';
const SCHEMA = { type: 'object' as const, properties: {} };

let sim: Sim;
beforeEach(async () => {
  // Calls what it was offered, then says that it is done.
  sim = await startSim({
    model: ({ messages, tools }) =>
      messages.at(-1)!.parts.some((part) => part.type === 'result')
        ? { text: 'Done.' }
        : { calls: [{ name: tools[0]!, input: {} }] },
  });
});
afterEach(() => sim.close());

const refusals = (): readonly string[] => sim.requests.flatMap(({ problem }) => problem?.message ?? []);

describe('a host whose tools have names that the provider refuses gets them back as its own, answered by its tools', () => {
  it.each([false, true])('Anthropic SDK, streamed: %s', async (streams) => {
    const client = new Anthropic({ baseURL: sim.url, apiKey: 'k', middleware: [middleware({ window: 50_000 })] });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Read it.' }];
    const ask = async () => {
      const body = {
        model: 'claude-sonnet-5',
        max_tokens: 100,
        tools: [{ name: NAME, input_schema: SCHEMA }],
        messages,
      };
      return streams ? client.messages.stream(body).finalMessage() : client.messages.create(body);
    };
    const { content } = await ask();
    const made = content.find((block) => block.type === 'tool_use')!;
    expect(made.name).toBe(NAME);
    messages.push(
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: made.id, content: 'text' }] },
    );
    expect((await ask()).content).toMatchObject([{ type: 'text', text: 'Done.' }]);
    expect(refusals()).toEqual([]);
  });

  it.each([false, true])('OpenAI SDK, chat, streamed: %s', async (streams) => {
    const client = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'k', fetch: keptFetch({ window: 50_000 }) });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read it.' }];
    const ask = async () => {
      const body = {
        model: 'gpt-5.5',
        tools: [{ type: 'function' as const, function: { name: NAME, parameters: SCHEMA } }],
        messages,
      };
      const { choices } = streams
        ? await client.chat.completions.stream(body).finalChatCompletion()
        : await client.chat.completions.create(body);
      return choices[0]!.message;
    };
    const message = await ask();
    expect(message.tool_calls).toMatchObject([{ function: { name: NAME } }]);
    messages.push(message, { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: 'text' });
    expect((await ask()).content).toBe('Done.');
    expect(refusals()).toEqual([]);
  });

  it.each([false, true])('OpenAI SDK, responses, streamed: %s', async (streams) => {
    const client = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'k', fetch: keptFetch({ window: 50_000 }) });
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Read it.' }];
    const ask = async () => {
      const body = {
        model: 'gpt-5.5',
        store: false,
        tools: [{ type: 'function' as const, name: NAME, parameters: SCHEMA, strict: false }],
        input,
      };
      return streams ? client.responses.stream(body).finalResponse() : client.responses.create(body);
    };
    const output: readonly OpenAI.Responses.ResponseOutputItem[] = (await ask()).output;
    const made = output.find((item) => item.type === 'function_call')!;
    expect(made.name).toBe(NAME);
    input.push(made, { type: 'function_call_output', call_id: made.call_id, output: 'text' });
    expect((await ask()).output_text).toBe('Done.');
    expect(refusals()).toEqual([]);
  });

  it.each(['generateContent', 'streamGenerateContent?alt=sse'])('Gemini by fetch: %s', async (method) => {
    const fetch = keptFetch({ window: 50_000 });
    const response = await fetch(`${sim.url}/v1beta/models/gemini-2.5-pro:${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': 'k' },
      body: JSON.stringify({
        tools: [{ functionDeclarations: [{ name: NAME }] }],
        contents: [{ role: 'user', parts: [{ text: 'Read it.' }] }],
      }),
    });
    expect(await response.text()).toMatch(/"functionCall":\{[^}]*"name":"files: read one"/);
    expect(refusals()).toEqual([]);
  });
});

it('a tool that a model made up once does not end the conversation', async () => {
  const client = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'k', fetch: keptFetch({ window: 50_000 }) });
  const { choices } = await client.chat.completions.create({
    model: 'gpt-5.5',
    messages: [
      { role: 'user', content: 'Half a pair: \ud83d' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'default_api:fs.read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'There is no such tool.' },
    ],
  });
  expect(choices[0]!.message.content).toBe('Done.');
});
