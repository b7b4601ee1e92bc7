import { startSim, explorer, type Workshop } from '@palimpsest/sim';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText, isLoopFinished, jsonSchema, tool as aiTool, wrapLanguageModel, type LanguageModel } from 'ai';
import { palimpsestMiddleware, palimpsestStep } from '@palimpsest/wire/ai-sdk';
import { palimpsest as lc } from '@palimpsest/wire/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, createMiddleware, tool as langChainTool } from 'langchain';
const model = explorer({ seed: 7, turns: 60 });
const SYSTEM = 'You look through it.';
const toolsOf = (workshop: Workshop) => Object.fromEntries(workshop.tools.map(({ name, description, schema }) => [name, aiTool({ description, inputSchema: jsonSchema<Record<string, unknown>>(schema as any), execute: async (g) => workshop.run(name, g) })]));
const cases: Record<string, (url: string) => Promise<string>> = {
  'anthropic': async (url) => (await generateText({ model: wrapLanguageModel({ model: createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k', fetch: async (i, o) => { const r = await fetch(i, o); return new Response((await r.text()).replaceAll(',"citations":null', ''), r); } })('claude-sonnet-5'), middleware: palimpsestMiddleware({ window: 16000 }) }), tools: toolsOf(model), system: SYSTEM, prompt: 'Go', maxOutputTokens: 1024, stopWhen: isLoopFinished() })).text,
  'anthropic thinking bound': async (url) => (await generateText({ model: wrapLanguageModel({ model: createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k', fetch: async (i, o) => { const r = await fetch(i, o); return new Response((await r.text()).replaceAll(',"citations":null', ''), r); } })('claude-sonnet-5-5'), middleware: palimpsestMiddleware({ window: 16000 }) }), tools: toolsOf(model), system: SYSTEM, prompt: 'Go', maxOutputTokens: 3024, providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } }, stopWhen: isLoopFinished() })).text,
  'openai responses': async (url) => (await generateText({ model: wrapLanguageModel({ model: createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' })('gpt-5.5'), middleware: palimpsestMiddleware({ window: 16000 }) }), tools: toolsOf(model), system: SYSTEM, prompt: 'Go', maxOutputTokens: 1024, stopWhen: isLoopFinished() })).text,
  'openai responses store false': async (url) => (await generateText({ model: wrapLanguageModel({ model: createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' })('gpt-5.5'), middleware: palimpsestMiddleware({ window: 16000 }) }), tools: toolsOf(model), system: SYSTEM, prompt: 'Go', maxOutputTokens: 1024, providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'], reasoningEffort: 'low' } }, stopWhen: isLoopFinished() })).text,
  'openai chat stream': async (url) => await (streamText({ model: wrapLanguageModel({ model: createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' }).chat('gpt-5.5'), middleware: palimpsestMiddleware({ window: 16000 }) }), tools: toolsOf(model), system: SYSTEM, prompt: 'Go', maxOutputTokens: 1024, stopWhen: isLoopFinished(), onError: (e) => console.log('stream error', e) })).text,
  'step': async (url) => (await generateText({ model: createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' }).chat('gpt-5.5') as LanguageModel, prepareStep: palimpsestStep({ window: 16000 }), tools: toolsOf(model), system: SYSTEM, prompt: 'Go', maxOutputTokens: 1024, stopWhen: isLoopFinished() })).text,
  'langchain responses': async (url) => { const agent = createAgent({ model: new ChatOpenAI({ model: 'gpt-5.5', apiKey: 'k', useResponsesApi: true, maxTokens: 1024, configuration: { baseURL: `${url}/v1` } }), systemPrompt: SYSTEM, tools: model.tools.map(({ name, description, schema }) => langChainTool(async (g) => model.run(name, g as any), { name, description, schema: schema as any })), middleware: [createMiddleware(lc({ window: 16000 }))] }); return (await agent.invoke({ messages: [{ role: 'user', content: 'Go' }] }, { recursionLimit: 1000 })).messages.at(-1)!.text; },
};
const only = process.argv[2];
for (const [name, go] of Object.entries(cases)) {
  if (only && !name.includes(only)) continue;
  const sim = await startSim({ model, window: 16_000 });
  try { console.log(name, '→', await go(sim.url)); } catch (e) { console.log(name, 'DIED', String((e as Error).message).slice(0, 500), String((e as any).cause?.message).slice(0, 1500)); }
  console.log(sim.requests.length, sim.requests.filter((e) => e.problem).map((e) => [e.n, e.problem!.message]), sim.bill().cacheReadShare, JSON.stringify(sim.requests.at(-1)!.body).length);
  await sim.close();
}
