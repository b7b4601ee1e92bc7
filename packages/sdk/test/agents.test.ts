import { clearOldResults, dropOldestRounds, supersedeReads } from '@palimpsest/core';
import type { KeptEvent } from '@palimpsest/sdk/anthropic';
import { explorer, FAULT_KINDS, type SimEntry, type SimOptions, startSim } from '@palimpsest/sim';
import { AGENTS, type Work } from '@palimpsest/testing/sdk-agents';
import { describe, expect, it } from 'vitest';

const TURNS = 36;
const WINDOW = 16_000;
const TASK = 'Look through the whole folder and tell me at the end what is in it. Never touch the file LICENSE.';
const DONE = `Done: ${TURNS} steps`;

type Name = keyof typeof AGENTS;
/** As long as the standard run of the bench. */
const LONG = 60;
const names = Object.keys(AGENTS) as readonly Name[];

interface Worked {
  readonly answer: string;
  readonly requests: readonly SimEntry[];
  /** Which of the requests hide something that the one before showed. */
  readonly compacted: ReadonlySet<number>;
  /** What a cache served of all input. */
  readonly cached: number;
}

/** One agent at work, and all that reached the provider. */
async function work(
  name: Name,
  options: Pick<Work, 'keep' | 'stream'>,
  { turns = TURNS, ...simOptions }: SimOptions & { readonly turns?: number } = {},
): Promise<Worked> {
  const model = explorer({ seed: 3, turns });
  const sim = await startSim({ model, window: WINDOW, ...simOptions });
  const compacted = new Set<number>();
  const on = (event: KeptEvent): void => {
    if (event.type === 'view-compacted' && event.receipt.declared) compacted.add(sim.requests.length);
  };
  const { keep, ...rest } = options;
  const own = { url: sim.url, key: 'k', workshop: model, task: TASK };
  try {
    const answer = await AGENTS[name]({ ...own, ...rest, ...(keep === undefined ? {} : { keep: { ...keep, on } }) });
    return { answer, requests: sim.requests, compacted, cached: sim.bill().cacheReadShare };
  } finally {
    await sim.close();
  }
}

const refused = (requests: readonly SimEntry[]): readonly string[] =>
  requests.flatMap(({ problem, fault }) => (problem === undefined || fault !== undefined ? [] : [problem.rule]));

describe.concurrent('an agent that knows nothing of windows', () => {
  it.each(names)(
    'ends its work in a small window through every kind of fault, no request refused: %s',
    async (name) => {
      const faults = FAULT_KINDS.map((kind, i) => ({ at: 4 + 4 * i, kind }));
      const { answer, requests, compacted } = await work(name, { keep: { window: WINDOW } }, { faults });
      expect(answer).toContain(DONE);
      expect(refused(requests)).toEqual([]);
      expect(compacted.size).toBeGreaterThan(0);
      expect(JSON.stringify(requests.at(-1)!.body)).toContain('Never touch the file LICENSE');
      // What failed was asked again, with the same bytes.
      const failed = requests.flatMap((entry, i) => (entry.delivered && entry.status < 400 ? [] : [i]));
      expect(failed).toHaveLength(5);
      for (const i of failed) expect(JSON.stringify(requests[i + 1]!.body)).toBe(JSON.stringify(requests[i]!.body));
    },
  );

  it.each(names)('dies at the window without Palimpsest: %s', async (name) => {
    await expect(work(name, {})).rejects.toThrow(/too long|maximum context length|context window/);
  });

  it.each(names)('never sees that the window is smaller than was stated: %s', async (name) => {
    const { answer, requests } = await work(name, { keep: { window: 200_000 } }, { window: 12_000 });
    expect(answer).toContain(DONE);
    // Where the refusal states the window, it is learned at once. The Responses API does not say: it follows from what was taken.
    expect(refused(requests)).toEqual(['too-long']);
  });

  it.each(names.slice(0, 3))('streams its answers: %s', async (name) => {
    const { answer, requests, compacted } = await work(name, { keep: { window: WINDOW }, stream: true });
    expect(answer).toContain(DONE);
    expect(refused(requests)).toEqual([]);
    expect(requests.every(({ stream }) => stream)).toBe(true);
    expect(compacted.size).toBeGreaterThan(0);
  });

  it.each(names)('has 70 percent of all its input from a cache, compactions included: %s', async (name) => {
    const { answer, requests, compacted, cached } = await work(name, { keep: { window: WINDOW } }, { turns: LONG });
    expect(answer).toContain(`Done: ${LONG} steps`);
    expect(refused(requests)).toEqual([]);
    expect(compacted.size).toBeGreaterThan(1);
    expect(cached).toBeGreaterThanOrEqual(0.7);
  });

  it.each(names)('has 90 percent of its input from a cache between compactions by cheap layers: %s', async (name) => {
    const layers = [supersedeReads(), clearOldResults({ mode: 'prune' }), dropOldestRounds()];
    const { requests, compacted } = await work(name, { keep: { window: WINDOW, layers } });
    expect(compacted.size).toBeGreaterThan(0);
    const between = requests.flatMap(({ usage }, i) => (i === 0 || compacted.has(i) ? [] : [usage!]));
    const read = between.reduce((sum, usage) => sum + usage.cacheRead, 0);
    const all = between.reduce((sum, usage) => sum + usage.input + usage.cacheRead + usage.cacheWrite, 0);
    expect(read / all).toBeGreaterThanOrEqual(0.9);
  });
});
