import Anthropic from '@anthropic-ai/sdk';
import { program, type Script, startSim } from '@palimpsest/sim';

// Turns one after the other: a tool call, then words that depend on what came back.
const model: Script = program([
  { text: 'I look first.', calls: [{ name: 'read', input: { path: 'README.md' } }] },
  ({ messages }) => ({ text: `Your tool said ${JSON.stringify(messages.at(-1)?.parts[0])}` }),
]);
const sim = await startSim({ model });
const anthropic = new Anthropic({ baseURL: sim.url, apiKey: 'any' });

const tools = [{ name: 'read', input_schema: { type: 'object' as const } }];
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'What is this?' }];
for (;;) {
  const answer = await anthropic.messages.create({ model: 'claude-sonnet-5', max_tokens: 500, tools, messages });
  messages.push({ role: 'assistant', content: answer.content });
  for (const block of answer.content) if (block.type === 'text') console.log(block.text);
  const calls = answer.content.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) break;
  messages.push({
    role: 'user',
    content: calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: '# Larder' })),
  });
}
await sim.close();
