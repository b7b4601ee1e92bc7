import { startGateway } from '@palimpsest/gateway';
import { type Script, startSim } from '@palimpsest/sim';
import { AGENTS, type Agent } from '@palimpsest/testing/sdk-agents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runGeminiAgent } from './gemini-agent.ts';

const WINDOW = 12_000;
const READS = 40;

const WIRES: Readonly<Record<string, Agent | undefined>> = {
  'Anthropic Messages': AGENTS['Anthropic SDK'],
  'OpenAI Chat': AGENTS['OpenAI SDK, chat'],
  'OpenAI Responses': AGENTS['OpenAI SDK, responses'],
  Gemini: runGeminiAgent,
};

/** Files of all sizes, some of them larger than any layer leaves whole; every fifth is read again and again. */
const workshop = {
  tools: [
    {
      name: 'read',
      description: 'reads a file',
      schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
  run: (_: string, { path: name }: Readonly<Record<string, unknown>>) =>
    `// ${name}\n`.concat('export const limit = 7;\n'.repeat(String(name).endsWith('3.ts') ? 900 : 60)),
} as never;

const TASK = `Read all files. This is the log:\n${'line of a log that somebody pasted\n'.repeat(400)}`;

async function readFiles(agent: Agent | undefined) {
  let read = 0;
  const model: Script = () => {
    if (read >= READS) return { text: 'Done.' };
    const file = read % 5 === 0 ? 'src/f0.ts' : `src/f${read}.ts`;
    read++;
    return { text: 'Next.', calls: [{ name: 'read', input: { path: file } }] };
  };
  const sim = await startSim({ window: WINDOW, model });
  onTestFinished(sim.close);
  const gateway = await startGateway({ upstreams: { '*': sim.url }, window: WINDOW });
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  await agent?.({ url: gateway.url, key: 'k', workshop, task: TASK, stream: false });
  expect(sim.requests.filter(({ problem }) => problem !== undefined)).toEqual([]);
  return sim.requests.map(({ body }) => JSON.stringify(body));
}

describe('a gateway without --recall', () => {
  it.each(Object.keys(WIRES))('sends no word of a recall: %s', async (wire) => {
    const bodies = await readFiles(WIRES[wire]);
    expect(bodies.some((body) => /[( ,…]e\d+/.test(body))).toBe(true);
    for (const body of bodies) expect(body).not.toMatch(/recall/i);
  });
});
