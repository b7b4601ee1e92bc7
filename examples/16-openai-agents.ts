/** The OpenAI Agents SDK: its session keeps every item; each request is given what fits the window. */
import assert from 'node:assert/strict';
import { Agent, MemorySession, Runner, tool } from '@openai/agents-core';
import { OpenAIProvider } from '@openai/agents-openai';
import { palimpsest } from '@palimpsest/sdk/openai';
import { startSim } from '@palimpsest/sim';
import OpenAI from 'openai';
import { z } from 'zod';

const sim = await startSim({
  window: 12_000,
  model: ({ messages }) =>
    messages.at(-1)?.parts.some(({ type }) => type === 'result') === true
      ? { text: `Looked at it. ${'Nothing is wrong there. '.repeat(20)}` }
      : { calls: [{ name: 'read_log', input: { day: messages.length } }] },
});

// With `@openai/agents`: `setDefaultOpenAIClient(client)`. Where the client is not yours, `palimpsestSession` goes around a session.
const client = new OpenAI({ apiKey: 'secret', baseURL: `${sim.url}/v1`, fetch: palimpsest({ window: 12_000 }) });
const runner = new Runner({
  tracingDisabled: true,
  modelProvider: new OpenAIProvider({ openAIClient: client, useResponses: true }),
});
const agent = new Agent({
  name: 'Keeper of the logs',
  model: 'gpt-5.5',
  instructions: 'Read the log of the day that you are asked for.',
  tools: [
    tool({
      name: 'read_log',
      description: 'Reads the log of a day.',
      parameters: z.object({ day: z.number() }),
      execute: ({ day }) => Array.from({ length: 90 }, (_, n) => `day ${day}, line ${n}: all quiet`).join('\n'),
    }),
  ],
});

const session = new MemorySession(); // or one that keeps its items on disk, in a database, at the vendor's
await runner.run(agent, 'Never name a customer. Read the first day.', { session });
for (let day = 2; day <= 20; day++) await runner.run(agent, `And day ${day}.`, { session });

const [all, sent] = [await session.getItems(), sim.requests.at(-1)!.body as { input: unknown[] }];
assert.equal(all.length, 80);
assert.ok(JSON.stringify(sent.input).length < JSON.stringify(all).length / 2);
assert.match(JSON.stringify(sent.input), /Never name a customer\./);
assert.ok(sim.requests.every(({ status }) => status === 200));
console.log(
  `${all.length} items are kept, ${sent.input.length} are sent, ${sim.requests.length} requests, none refused.`,
);
await sim.close();
