/** The OpenAI SDK, chat completions: a `fetch` that keeps the conversation in its window, streamed or not. */
import assert from 'node:assert/strict';
import { palimpsest } from '@palimpsest/sdk/openai';
import { explorer, startSim } from '@palimpsest/sim';
import OpenAI from 'openai';

const coder = explorer({ seed: 2, turns: 60 });
// The provider's window turns out to be smaller than was said: that, too, is answered inside.
const sim = await startSim({ model: coder, window: 12_000 });

const client = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'secret', fetch: palimpsest({ window: 16_000 }) });

const tools = coder.tools.map(({ name, description, schema }) => ({
  type: 'function' as const,
  function: { name, description, parameters: { ...schema } },
}));
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'user', content: 'Look through the folder, all of it.' },
];
let answer: OpenAI.ChatCompletionMessage;
do {
  const stream = client.chat.completions.stream({ model: 'gpt-5.5', tools, messages });
  answer = await stream.finalMessage();
  messages.push(answer);
  for (const call of answer.tool_calls ?? [])
    if (call.type === 'function') {
      const content = coder.run(call.function.name, JSON.parse(call.function.arguments));
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
} while (answer.tool_calls !== undefined && answer.tool_calls.length > 0);

const refused = sim.requests.filter(({ status }) => status !== 200);
assert.match(answer.content ?? '', /^Done: 60 steps/);
assert.ok(refused.length > 0 && refused.every(({ problem }) => problem?.rule === 'too-long'));
console.log(
  `${messages.length} messages streamed through 12,000 tokens; ${refused.length} refusal, which the loop never saw.`,
);
await sim.close();
