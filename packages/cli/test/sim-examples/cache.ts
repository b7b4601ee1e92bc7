import Anthropic from '@anthropic-ai/sdk';
import { startSim } from '@palimpsest/sim';
import { cacheBreaks } from '@palimpsest/wire';

const sim = await startSim({ virtualTime: true });
const anthropic = new Anthropic({ baseURL: sim.url, apiKey: 'any' });
const breaks = cacheBreaks();

const rules = 'Never touch the migrations folder, and say what you did. '.repeat(200);
const messages: Anthropic.MessageParam[] = [];
const ask = async (content: string) => {
  messages.push({ role: 'user', content });
  const { content: answer, usage } = await anthropic.messages.create({
    model: 'claude-sonnet-5',
    max_tokens: 100,
    system: [{ type: 'text', text: rules, cache_control: { type: 'ephemeral' } }],
    messages,
  });
  messages.push({ role: 'assistant', content: answer });
  const { input_tokens: input, cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite } = usage;
  const { api, body, at } = sim.requests.at(-1)!;
  const found = breaks.observe({ api, body, at, input, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0 });
  console.log({ input, cacheRead, cacheWrite }, found?.message ?? '');
};
await ask('one');
await ask('two');
sim.clock.advance(6 * 60_000);
await ask('three');

const { money, cacheReadShare } = sim.bill();
console.log(`${money.toFixed(4)} in money, ${(100 * cacheReadShare).toFixed(0)} % of the input from the cache`);
await sim.close();
