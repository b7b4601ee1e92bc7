/** The OpenAI SDK, Responses API: the same `fetch`; items go and come back as they were. */
import assert from 'node:assert/strict';
import { palimpsest } from '@palimpsest/sdk/openai';
import { explorer, startSim } from '@palimpsest/sim';
import OpenAI from 'openai';

const coder = explorer({ seed: 3, turns: 60 });
const sim = await startSim({ model: coder, window: 16_000, faults: [{ at: 7, kind: 'rate-limited' }] });

const windows: Readonly<Record<string, number>> = { 'gpt-5.5': 16_000, 'gpt-5-mini': 16_000 };
const client = new OpenAI({
  baseURL: `${sim.url}/v1`,
  apiKey: 'secret',
  fetch: palimpsest({ window: (model) => windows[model] }),
});

const tools = coder.tools.map(({ name, description, schema }) => ({
  type: 'function' as const,
  name,
  description,
  parameters: { ...schema },
  strict: false,
}));
const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Look through the folder, all of it.' }];
let answer: OpenAI.Responses.Response;
do {
  answer = await client.responses.create({ model: 'gpt-5.5', store: false, tools, input });
  for (const item of answer.output) {
    input.push(item as OpenAI.Responses.ResponseInputItem);
    if (item.type !== 'function_call') continue;
    const output = coder.run(item.name, JSON.parse(item.arguments));
    input.push({ type: 'function_call_output', call_id: item.call_id, output });
  }
} while (answer.output.some(({ type }) => type === 'function_call'));

assert.match(answer.output_text, /^Done: 60 steps/);
// The one that failed was sent again by the SDK, with the same bytes.
assert.deepEqual(sim.requests[7]!.body, sim.requests[6]!.body);
assert.deepEqual(
  sim.requests.filter(({ status }) => status !== 200).map(({ fault }) => fault),
  ['rate-limited'],
);
console.log(`${input.length} items through a window of 16,000 tokens, one 429 on the way, none refused for its size.`);
await sim.close();
