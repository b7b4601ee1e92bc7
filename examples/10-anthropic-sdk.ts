/** The Anthropic SDK: one middleware keeps a long conversation in a small window; the loop itself knows nothing of it. */
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { presets, type Session } from '@palimpsest/core';
import { palimpsest, recallTool } from '@palimpsest/sdk/anthropic';
import { explorer, startSim } from '@palimpsest/sim';
import { providerSummarizer } from '@palimpsest/wire';

const coder = explorer({ seed: 1, turns: 60 }); // a model that looks through a folder, and its tools
const sim = await startSim({ model: coder, window: 16_000 }); // in life: the real provider
const endpoint = { url: sim.url, key: 'secret' };
const model = 'claude-sonnet-5';

let session: Session | undefined;
const kept = palimpsest({
  window: 16_000,
  onSession: (one) => (session = one),
  ports: { summarizer: providerSummarizer({ api: 'anthropic', endpoint, model, window: 16_000 }) }, // optional
  layers: presets.default({ summarizeHistory: { modelFrom: 0 } }), // else no model is asked in so small a window
});
const client = new Anthropic({ baseURL: sim.url, apiKey: 'secret', middleware: [kept] });

const recall = recallTool(() => session); // optional: the model reads back what was hidden
const run = (name: string, input: object): string =>
  name === recall.name ? recall.run(input) : coder.run(name, { ...input });
const tools = [...coder.tools, recall].map(({ name, description, schema }) => ({
  name,
  description,
  input_schema: { ...schema, required: [...schema.required] },
}));

const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Look through the folder. Leave LICENSE alone.' }];
for (let calls = 1; calls > 0; ) {
  const { content } = await client.messages.create({ model, max_tokens: 1_024, tools, messages });
  messages.push({ role: 'assistant', content });
  const asked = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
  calls = asked.length;
  const results = asked.map(({ id, name, input }) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content: run(name, input as object),
  }));
  if (calls > 0) messages.push({ role: 'user', content: results });
}

assert.ok(session !== undefined && session.receipts().length > 0);
assert.ok(sim.requests.some(({ summary }) => summary));
assert.ok(sim.requests.every(({ status }) => status === 200));
assert.match(JSON.stringify(sim.requests.at(-1)!.body), /Leave LICENSE alone/);
assert.match(recall.run({ query: 'LICENSE alone' }), /Look through the folder/);
const { money, cacheReadShare } = sim.bill();
console.log(
  `${messages.length} messages through 16,000 tokens, ${session.receipts().length} compactions, none refused, ` +
    `${money.toFixed(2)} in money, ${Math.round(cacheReadShare * 100)} % of the input from the cache.`,
);
await sim.close();
