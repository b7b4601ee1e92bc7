/** The OpenAI Agents SDK: the session that you have keeps every item; a run is given what fits its window. */
import assert from 'node:assert/strict';
import { Agent, MemorySession, Runner, type Session, tool } from '@openai/agents-core';
import { OpenAIProvider } from '@openai/agents-openai';
import { palimpsestSession } from '@palimpsest/sdk/openai-agents';
import { startSim } from '@palimpsest/sim';
import { z } from 'zod';

const sim = await startSim({
  window: 12_000,
  model: ({ messages }) =>
    messages.at(-1)?.parts.some(({ type }) => type === 'result') === true
      ? { text: `Looked at it. ${'Nothing is wrong there. '.repeat(20)}` }
      : { calls: [{ name: 'read_log', input: { day: messages.length } }] },
});

// From `@openai/agents`, which is the same and more: `run(agent, words, { session })`.
const runner = new Runner({
  tracingDisabled: true,
  modelProvider: new OpenAIProvider({ apiKey: 'secret', baseURL: `${sim.url}/v1`, useResponses: true }),
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

const everything = new MemorySession(); // or one that keeps its items on disk, in a database, at the vendor's
const session: Session = palimpsestSession(everything, { window: 12_000, instructions: String(agent.instructions) });

await runner.run(agent, 'Never name a customer. Read the first day.', { session });
for (let day = 2; day <= 20; day++) await runner.run(agent, `And day ${day}.`, { session });

const [all, shown] = [await everything.getItems(), await session.getItems()];
assert.equal(all.length, 80);
assert.ok(JSON.stringify(shown).length < JSON.stringify(all).length / 2);
assert.match(JSON.stringify(shown), /Never name a customer\./);
assert.ok(sim.requests.every(({ status }) => status === 200));
console.log(`${all.length} items are kept, ${shown.length} are shown, ${sim.requests.length} requests, none refused.`);
await sim.close();
