import { summarizeHistory, dropOldestRounds } from '@palimpsest/core';
import { startSim, explorer } from '@palimpsest/sim';
import { providerSummarizer } from '@palimpsest/wire';
import { AGENTS } from './sdk-agents.ts';
const cases = [['Anthropic SDK','anthropic','claude-sonnet-5',''],['OpenAI SDK, chat','openai-chat','gpt-5.5','/v1'],['OpenAI SDK, responses','openai-responses','gpt-5.5','/v1'],['LangChain','openai-chat','gpt-4.1','/v1']] as const;
for (const [name, api, modelName, path] of cases) {
  const model = explorer({ seed: 7, turns: 150 });
  const sim = await startSim({ model, window: 16_000 });
  const events: Record<string, number> = {};
  const summarizer = providerSummarizer({ api, endpoint: { url: sim.url + path, key: 'k' }, model: modelName, window: 16_000 });
  try {
    console.log(name, await AGENTS[name]({ url: sim.url, key: 'k', workshop: model, task: 'Look through it all and tell me.', keep: { window: 16_000, layers: [summarizeHistory(), dropOldestRounds()], ports: { summarizer }, on: (e) => { events[e.type] = (events[e.type] ?? 0) + 1; if (e.type === 'need-failed') console.log(e); } } }));
  } catch (e) { console.log('DIED', e); }
  const sums = sim.requests.filter((e) => e.summary);
  console.log(sums.map((e) => `${e.n} ${e.status} ${JSON.stringify((e.body as any).messages ?? (e.body as any).input).length} in ${e.usage?.input} read ${e.usage?.cacheRead} write ${e.usage?.cacheWrite} len ${((e.body as any).messages ?? (e.body as any).input)?.length}`));
  console.log(JSON.stringify(sim.bill((e) => e.summary), (k, v) => k === 'byModel' ? undefined : v), events, sim.requests.filter((e) => e.problem).map((e) => e.problem));
  await sim.close();
}
