/** LangChain: a middleware of the agent. Its state keeps every message; the model is shown what fits. */
import assert from 'node:assert/strict';
import { ChatOpenAI } from '@langchain/openai';
import type { Session } from '@palimpsest/core';
import { palimpsest, recallTool } from '@palimpsest/sdk/langchain';
import { explorer, startSim } from '@palimpsest/sim';
import { createAgent, createMiddleware, tool } from 'langchain';

const coder = explorer({ seed: 5, turns: 60 });
const sim = await startSim({ model: coder, window: 16_000 });

let session: Session | undefined;
const recall = recallTool(() => session);
const agent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'secret', configuration: { baseURL: `${sim.url}/v1` } }),
  middleware: [createMiddleware(palimpsest({ window: 16_000, onSession: (one) => (session = one) }))],
  tools: [
    tool(async (input) => recall.run(input), recall),
    ...coder.tools.map(({ name, description, schema }) =>
      tool(async (input) => coder.run(name, input as Record<string, unknown>), {
        name,
        description,
        schema: { ...schema, required: [...schema.required] },
      }),
    ),
  ],
});

const { messages } = await agent.invoke(
  { messages: [{ role: 'user', content: 'Look through the folder, all of it.' }] },
  { recursionLimit: 1_000 },
);

assert.match(messages.at(-1)!.text, /^Done: 60 steps/);
assert.ok(session !== undefined && session.receipts().length > 0);
assert.ok(sim.requests.every(({ status }) => status === 200));
const shown = (sim.requests.at(-1)!.body as { messages: unknown[] }).messages.length;
console.log(`${messages.length} messages in the agent's state, ${shown} in the last request, none refused.`);
await sim.close();
