import Anthropic from '@anthropic-ai/sdk';
import { type PresetName, presets } from '@palimpsest/core';
import { type Gateway, type GatewayOptions, type RequestLine, startGateway } from '@palimpsest/gateway';
import { explorer, type Sim, type SimOptions, startSim } from '@palimpsest/sim';
import { AGENTS } from '@palimpsest/testing/sdk-agents';
import { afterEach, describe, expect, it } from 'vitest';
import { runGeminiAgent } from './gemini-agent.ts';
import { answerJson, startUpstream } from './raw-upstream.ts';

const WINDOW = 8_000;
const TASK = 'Look through the folder. Never touch the file LOCKED.md. The release code is QX-4471-ZED.';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Stage {
  readonly sim: Sim;
  readonly gateway: Gateway;
  readonly lines: readonly RequestLine[];
}

async function start(sim: SimOptions = {}, options: GatewayOptions = {}): Promise<Stage> {
  const provider = await startSim({ window: WINDOW, ...sim });
  ends.push(provider.close);
  const lines: RequestLine[] = [];
  const gateway = await startGateway({
    upstreams: { '*': provider.url },
    window: WINDOW,
    onRequest: (line) => lines.push(line),
    ...options,
  });
  ends.push(() => gateway.close({ graceMs: 0 }));
  return { sim: provider, gateway, lines };
}

const client = (gateway: Gateway, apiKey = 'key-1'): Anthropic =>
  new Anthropic({ baseURL: gateway.url, apiKey, maxRetries: 0 });

const messages = (rounds: number): Anthropic.MessageParam[] => [
  { role: 'user', content: TASK },
  ...Array.from({ length: rounds }, (_, n): Anthropic.MessageParam[] => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `toolu_${n}`, name: 'read', input: { path: `src/f${n}.ts` } }],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `toolu_${n}`, content: `// f${n}\n${'const x = 1;\n'.repeat(80)}` },
      ],
    },
  ]).flat(),
];

const body = (rounds: number) => ({
  model: 'claude-sonnet-5',
  max_tokens: 512,
  tools: [{ name: 'read', input_schema: { type: 'object' as const } }],
  messages: messages(rounds),
});

const AGENTS_HERE = { ...AGENTS, 'Google GenAI SDK': runGeminiAgent };

describe('an unmodified agent, base URL only', () => {
  it.each(Object.entries(AGENTS_HERE))('%s never hits the window, and its rule is in every view', async (_, agent) => {
    const model = explorer({ seed: 3, turns: 24 });
    const { sim, gateway, lines } = await start({ model, seed: 3 });
    await agent({ url: gateway.url, key: 'k', workshop: model, task: TASK, stream: true });
    expect(sim.requests.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(sim.requests.length).toBeGreaterThanOrEqual(24);
    for (const { body } of sim.requests)
      expect(JSON.stringify(body)).toMatch(/Never touch the file LOCKED.md.*QX-4471-ZED/);
    expect(lines.some(({ compacted }) => compacted)).toBe(true);
    expect(lines.filter(({ passed }) => passed !== undefined)).toEqual([]);
  });

  it('gets through a provider’s faults without a refusal for validity', async () => {
    const model = explorer({ seed: 5, turns: 20 });
    const { sim, gateway } = await start({ model, seed: 5, faults: { rate: 0.15, seed: 5 } });
    await AGENTS['Anthropic SDK']({ url: gateway.url, key: 'k', workshop: model, task: TASK, stream: false });
    const refused = sim.requests.filter(({ problem }) => problem !== undefined && problem.rule !== 'too-long');
    expect(refused).toEqual([]);
  });

  it('is told the provider’s own usage, unscaled (rule 3)', async () => {
    const { sim, gateway } = await start();
    const { usage } = await client(gateway).messages.create(body(40));
    const sent = sim.requests.at(-1)!.usage!;
    expect(usage.input_tokens).toBe(sent.input);
    expect(
      usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
    ).toBeLessThan(WINDOW);
  });

  it('may ask for more output than the window leaves: that alone is lowered (rule 4)', async () => {
    const { sim, gateway } = await start();
    await client(gateway).messages.create({ ...body(40), max_tokens: 7_500 });
    const sent = sim.requests.at(-1)!.body as { max_tokens: number };
    expect(sim.requests.at(-1)!.problem).toBeUndefined();
    expect(sent.max_tokens).toBeGreaterThan(1_000);
    expect(sent.max_tokens).toBeLessThan(7_500);
  });

  it('also in a first request, however small', async () => {
    const { sim, gateway } = await start();
    await client(gateway).messages.create({ ...body(1), max_tokens: 8_000 });
    expect(sim.requests.map(({ problem }) => problem)).toEqual([undefined]);
    expect((sim.requests[0]!.body as { max_tokens: number }).max_tokens).toBeLessThan(8_000);
  });
});

describe('a preset', () => {
  it.each(Object.keys(presets) as PresetName[])(
    'that the gateway was told, or a request asks for, keeps: %s',
    async (preset) => {
      const stage = { window: 60_000 };
      const told = await start(stage, { ...stage, preset });
      const asked = await start(stage, stage);
      const answers = [];
      for (const [{ gateway }, headers] of [
        [told, {}],
        [asked, { 'x-palimpsest-preset': preset }],
      ] as const) {
        const { response } = await client(gateway).messages.create(body(150), { headers }).withResponse();
        answers.push(response.headers.get('x-palimpsest-passed') ?? response.headers.get('x-palimpsest-tokens'));
      }
      const [before, after] = String(answers[0]).split('/').map(Number);
      expect(after).toBeLessThan(before!);
      expect(answers[1]).toBe(answers[0]);
      for (const { sim } of [told, asked])
        expect(sim.requests.map(({ problem }) => problem?.rule)).toEqual([undefined]);
    },
  );
});

describe('sizes that nobody stated', () => {
  it.each([false, true])(
    'one that is kept and still too long goes once more, smaller: its client hears of nothing (stream: %s)',
    async (stream) => {
      const { sim, gateway, lines } = await start({}, { window: 2 * WINDOW });
      for (let rounds = 1; rounds <= 40; rounds++) {
        const asked = { ...body(rounds), stream };
        const answer = await client(gateway).messages.create(asked as Anthropic.MessageCreateParamsNonStreaming);
        if (stream) for await (const _ of answer as unknown as AsyncIterable<unknown>);
      }
      expect(lines.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
      const refused = sim.requests.filter(({ problem }) => problem !== undefined);
      // It taught the window: what follows is below it.
      expect(refused.map(({ problem }) => problem?.rule)).toEqual(['too-long']);
    },
  );

  it('an unknown window is no reason to stop: the request passes, and the provider’s refusal teaches it', async () => {
    const model = { ...startModel, name: 'house-model' };
    const provider = await startSim({ models: [model] });
    ends.push(provider.close);
    const silent = await startUpstream(async ({ method, target, bytes }, response) => {
      if (method === 'GET') return answerJson(response, {}, 404);
      const headers = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
      const answer = await fetch(provider.url + target, { method, headers, body: new Uint8Array(bytes) });
      answerJson(response, await answer.json(), answer.status);
    });
    ends.push(silent.close);
    const gateway = await startGateway({ upstreams: { '*': silent.url } });
    ends.push(() => gateway.close({ graceMs: 0 }));
    const small = await client(gateway)
      .messages.create({ ...body(2), model: 'house-model' })
      .withResponse();
    expect(small.response.headers.get('x-palimpsest-passed')).toContain('window of house-model is not known');
    const large = await client(gateway).messages.create({ ...body(60), model: 'house-model' });
    expect(large.role).toBe('assistant');
    const again = await client(gateway).messages.create({ ...body(61), model: 'house-model' });
    expect(again.role).toBe('assistant');
    expect(provider.requests.filter(({ problem }) => problem !== undefined)).toHaveLength(1);
  });
});

const startModel = {
  vendor: 'anthropic' as const,
  window: WINDOW,
  maxOutput: 4_000,
  prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  minimumCachePrefix: 1_024,
};
