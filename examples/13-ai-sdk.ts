/** The AI SDK: a middleware around the model, recall among the tools. `prepareStep: palimpsestStep({ window })` is the other way. */
import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Session } from '@palimpsest/core';
import { palimpsestMiddleware, recallTool } from '@palimpsest/sdk/ai-sdk';
import { explorer, startSim } from '@palimpsest/sim';
import { generateText, isLoopFinished, jsonSchema, type ToolSet, tool, wrapLanguageModel } from 'ai';

const coder = explorer({ seed: 4, turns: 60 });
const sim = await startSim({ model: coder, window: 16_000 });
const provider = createOpenAICompatible({ name: 'sim', baseURL: `${sim.url}/v1`, apiKey: 'secret' });

let session: Session | undefined;
const model = wrapLanguageModel({
  model: provider('gpt-5.5'),
  middleware: palimpsestMiddleware({ window: 16_000, onSession: (one) => (session = one) }),
});

const recall = recallTool(() => session);
const tools: ToolSet = {
  recall: tool({
    description: recall.description,
    inputSchema: jsonSchema<{ reference?: string; query?: string; page?: number }>(recall.schema),
    execute: recall.run,
  }),
};
for (const { name, description, schema } of coder.tools)
  tools[name] = tool({
    description,
    inputSchema: jsonSchema<Record<string, unknown>>({ ...schema, required: [...schema.required] }),
    execute: async (input) => coder.run(name, input),
  });

const { text, steps } = await generateText({
  model,
  tools,
  prompt: 'Look through the folder, all of it.',
  stopWhen: isLoopFinished(),
});

assert.match(text, /^Done: 60 steps/);
assert.ok(session !== undefined && session.receipts().length > 0);
assert.ok(sim.requests.every(({ status }) => status === 200));
console.log(
  `${steps.length} steps through a window of 16,000 tokens, ${session.receipts().length} compactions, none refused.`,
);
await sim.close();
