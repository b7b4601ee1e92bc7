import { type Gateway, type RequestLine, startGateway } from '@palimpsest/gateway';
import { type Script, type Sim, type SimCall, startSim } from '@palimpsest/sim';
import { fastOrDeep } from '@palimpsest/testing';
import { AGENTS, type Agent } from '@palimpsest/testing/sdk-agents';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runGeminiAgent } from './gemini-agent.ts';

const WINDOW = 12_000;
const TOOL = 'palimpsest_recall';
const LOOKUPS = fastOrDeep(6, 100);

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of ends.splice(0).toReversed()) await end();
});

const fact = (n: number): string => `${100_003 + n * 7_919}`;
const fileOf = (n: number): string =>
  `// file ${n}\nexport const LIMIT_${n} = ${fact(n)};\n${`// filler of file ${n}, which says nothing\n`.repeat(40)}`;

/** Reads file after file; every third turn it looks a fact up that it read long ago, every other time beside a call of the client's. */
const forgetful: (lookups: number) => Script = (lookups) => {
  let read = 0;
  let asked = 0;
  let isAsking = false;
  return ({ tools }) => {
    if (!tools.includes(TOOL)) return { text: 'There is no such tool.' };
    const next = (): SimCall => ({ name: 'read', input: { path: `src/f${read++}.ts` } });
    const lookUp = (): SimCall => ({ name: TOOL, input: { query: `LIMIT_${Math.floor((read * (asked++ % 5)) / 6)}` } });
    if (isAsking) {
      isAsking = false;
      return { text: 'Going on.', calls: [next()] };
    }
    if (asked >= lookups) return { text: 'Done: everything is read.' };
    if (read < 9 || read % 3 !== 0) return { text: `Reading ${read}.`, calls: [next()] };
    if (asked % 2 === 0) {
      isAsking = true;
      return { text: 'Looking that up.', calls: [lookUp()] };
    }
    return { text: 'Both at once.', calls: [lookUp(), next()] };
  };
};

const READ = {
  name: 'read',
  description: 'reads a file',
  schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const REFERENCE = { type: 'object', properties: { reference: { type: 'string' } }, required: [] };

/** A client that reads, with tools of other names before that one; what calls of them it ran is noted. */
const lend = (others: readonly string[], ran: string[] = []) =>
  ({
    tools: [...others.map((name) => ({ name, description: 'recalls', schema: REFERENCE })), READ],
    run: (name: string, input: Readonly<Record<string, unknown>>) => {
      ran.push(name);
      return fileOf(Number(/\d+/.exec(String(input.path))?.[0]));
    },
  }) as never;

const workshop = lend([]);

interface Stage {
  readonly sim: Sim;
  readonly gateway: Gateway;
  readonly lines: RequestLine[];
  /** All that clients were sent. */
  readonly heard: () => Promise<string>;
}

async function start(model: Script): Promise<Stage> {
  const sim = await startSim({ window: WINDOW, model });
  const lines: RequestLine[] = [];
  const gateway = await startGateway({
    upstreams: { '*': sim.url },
    window: WINDOW,
    recall: true,
    patienceMs: 30_000,
    onRequest: (line) => lines.push(line),
  });
  ends.push(sim.close, () => gateway.close({ graceMs: 0 }));
  const texts: Promise<string>[] = [];
  const original = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await original(input, init);
    texts.push(response.clone().text());
    return response;
  });
  return { sim, gateway, lines, heard: async () => (await Promise.all(texts)).join('\n') };
}

const TALKS: Readonly<Record<string, Agent>> = {
  'Anthropic Messages': AGENTS['Anthropic SDK'],
  'OpenAI Chat': AGENTS['OpenAI SDK, chat'],
  'OpenAI Responses': AGENTS['OpenAI SDK, responses'],
  Gemini: runGeminiAgent,
};

const CASES = Object.entries(TALKS).flatMap(([wire, agent]) =>
  [true, false].map((stream) => ({ wire, agent, stream, how: stream ? 'streamed' : 'whole' })),
);

/** What stands behind the first call of our own tool in a body. */
const lookupsIn = (body: unknown): string => {
  const text = JSON.stringify(body, (name, value: unknown) => (name === 'tools' ? undefined : value));
  const at = text.indexOf(TOOL);
  return at < 0 ? '' : text.slice(at);
};

describe('rule 10: recall inside the gateway', () => {
  it.each(CASES)('$wire, $how: every lookup is answered inside, and the client sees one message', async (one) => {
    const { sim, gateway, lines, heard } = await start(forgetful(LOOKUPS));
    const last = await one.agent({ url: gateway.url, key: 'k', workshop, task: 'Read all files.', stream: one.stream });
    expect(last).toContain('Done');
    expect(sim.requests.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(lines.reduce((sum, { recalls = 0 }) => sum + recalls, 0)).toBe(LOOKUPS);
    // What was looked up went to the model, and goes back to it with the client's next requests.
    const answered = sim.requests.filter(({ body }) => /LIMIT_\d+ = \d+/.test(lookupsIn(body)));
    expect(answered.length).toBeGreaterThan(LOOKUPS);
    const bill = sim.bill();
    const share = bill.cacheRead / (bill.cacheRead + bill.cacheWrite + bill.input);
    // Anthropic caches what a client marks, and this one marks nothing until something was edited.
    expect(share).toBeGreaterThan(one.wire.startsWith('Anthropic') ? 0.4 : 0.6);
    const text = await heard();
    expect(text).toContain('Looking that up.');
    expect(text.includes(TOOL)).toBe(false);
    expect(text.includes('LIMIT_')).toBe(false);
  });
});

/** How often a body's tools have the name of ours. */
const countNames = (body: unknown): number =>
  JSON.stringify((body as { tools?: unknown }).tools ?? []).split(`"name":"${TOOL}"`).length - 1;

describe('what the notices of a gateway ask the model for', () => {
  const talk = async (isLent: boolean, others: readonly string[] = []) => {
    let read = 0;
    const reader: Script = () =>
      read < 40
        ? { text: 'Next.', calls: [{ name: 'read', input: { path: `src/f${read++}.ts` } }] }
        : { text: 'Done.' };
    const sim = await startSim({ window: WINDOW, model: reader });
    const gateway = await startGateway({ upstreams: { '*': sim.url }, window: WINDOW, recall: isLent });
    ends.push(sim.close, () => gateway.close({ graceMs: 0 }));
    const own = lend(others);
    await TALKS['OpenAI Chat']!({ url: gateway.url, key: 'k', workshop: own, task: 'Read all files.', stream: false });
    expect(sim.requests.filter(({ problem }) => problem !== undefined)).toEqual([]);
    const bodies = sim.requests.map(({ body }) => body as { messages: unknown });
    return bodies.map(({ messages }) => JSON.stringify(messages));
  };

  it('without --recall none speaks of one, and the references stay', async () => {
    const sent = await talk(false);
    expect(sent.some((text) => /\(e\d+/.test(text))).toBe(true);
    for (const text of sent) expect(text).not.toMatch(/recall/i);
  });

  it('with it they say how to recall, and the model is told once of the tool', async () => {
    const sent = await talk(true);
    expect(sent.some((text) => /recall e\d+/.test(text))).toBe(true);
    const told = sent.map((text) => text.split(`the tool ${TOOL} reads`).length - 1);
    expect(Math.max(...told)).toBe(1);
  });

  const FOREIGN = ['recall', 'mcp__memory__recall', 'mcp__palimpsest__recall'];

  it('a recall of the client’s own knows no reference of the gateway: without --recall none asks for it', async () => {
    const sent = await talk(false, FOREIGN);
    expect(sent.some((text) => /\(e\d+/.test(text))).toBe(true);
    for (const text of sent) expect(text).not.toMatch(/recall/i);
  });

  it('and with --recall the gateway’s own is the one that the model is told of', async () => {
    const sent = await talk(true, FOREIGN);
    expect(sent.some((text) => text.includes(`the tool ${TOOL} reads`))).toBe(true);
    for (const name of FOREIGN)
      expect(
        sent.some((text) => text.includes(`the tool ${name} reads`)),
        name,
      ).toBe(false);
  });

  it.each(CASES)(
    '$wire, $how: a client that has a tool of that very name keeps it, and gets its calls',
    async (one) => {
      let asked = 0;
      const calls: readonly SimCall[] = [
        { name: TOOL, input: { reference: 'e1' } },
        { name: 'read', input: { path: 'src/f1.ts' } },
      ];
      const { sim, gateway, heard } = await start(() =>
        asked++ === 0 ? { text: 'Looking.', calls } : { text: 'Done.' },
      );
      const ran: string[] = [];
      const own = lend([TOOL], ran);
      await one.agent({ url: gateway.url, key: 'k', workshop: own, task: 'Look it up.', stream: one.stream });
      expect(sim.requests.filter(({ problem }) => problem !== undefined)).toEqual([]);
      for (const { body } of sim.requests) expect(countNames(body), 'the tool once').toBe(1);
      expect(ran).toEqual([TOOL, 'read']);
      expect(await heard()).toContain(TOOL);
    },
  );
});
