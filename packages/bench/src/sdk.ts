import { type Layer, presets, type SessionEvent } from '@palimpsest/core';
import { explorer, type Faults, type Sim, type SimEntry, startSim } from '@palimpsest/sim';
import { type ProviderSummarizerOptions, providerSummarizer } from '@palimpsest/wire';
import type { KeepOptions } from '@palimpsest/wire/anthropic';
import type { Bench } from './bench.ts';
import { AGENTS, type Agent } from './sdk-agents.ts';

const WINDOW = 16_000;
const TURNS = 300;
const FAULTS: Faults = { rate: 0.03, seed: 11 };
/** The bars: what a cache must serve between two compactions without a model, and of a summary's own request. */
const LEAST_CACHED = 0.9;
const LEAST_SHARED = 0.85;

const TASK = 'Look through the whole folder, mend what you find, and tell me at the end what is in it.';

interface Run {
  readonly ended: boolean;
  readonly died?: string;
  readonly sim: Pick<Sim, 'requests' | 'bill'>;
  readonly compactions: number;
  /** Of what was sent between two compactions, the share that a cache served. */
  readonly cached: number;
}

const inputOf = ({ usage }: SimEntry): number =>
  usage === undefined ? 0 : usage.input + usage.cacheRead + usage.cacheWrite;

/** Requests whose prefix was the one before and something behind it. */
function cachedBetween(entries: readonly SimEntry[], compacted: ReadonlySet<number>): number {
  const warm = entries.filter(({ usage, summary }, i) => usage !== undefined && !summary && !compacted.has(i) && i > 0);
  const all = warm.reduce((sum, entry) => sum + inputOf(entry), 0);
  return all === 0 ? 0 : warm.reduce((sum, { usage }) => sum + usage!.cacheRead, 0) / all;
}

async function run(agent: Agent, keep: Partial<KeepOptions> | undefined, faults?: Faults): Promise<Run> {
  const model = explorer({ seed: 7, turns: TURNS });
  const sim = await startSim({ model, window: WINDOW, ...(faults === undefined ? {} : { faults }) });
  const compacted = new Set<number>();
  const on = (event: SessionEvent): void => {
    if (event.type === 'view-compacted' && event.receipt.declared) compacted.add(sim.requests.length);
  };
  const options = keep === undefined ? {} : { keep: { window: WINDOW, ...keep, on } };
  try {
    const answer = await agent({ url: sim.url, key: 'bench', workshop: model, task: TASK, ...options });
    const cached = cachedBetween(sim.requests, compacted);
    return { ended: answer.startsWith(`Done: ${TURNS} steps`), sim, compactions: compacted.size, cached };
  } catch (error) {
    return { ended: false, died: (error as Error).message.split('\n')[0]!, sim, compactions: 0, cached: 0 };
  } finally {
    await sim.close();
  }
}
void presets;
export type { Layer, ProviderSummarizerOptions };
export const sdkBench: Bench = async (print) => {
  for (const [name, agent] of Object.entries(AGENTS)) {
    const kept = await run(agent, {}, FAULTS);
    print(`${name} ${kept.ended} ${kept.died} ${JSON.stringify(kept.sim.bill(), (k,v)=>k==='byModel'?undefined:v)} faults ${kept.sim.requests.filter((e) => e.fault).map((e) => e.fault)} bad ${kept.sim.requests.filter((e) => e.problem && !e.fault).map((e) => e.problem!.message)} cached ${kept.cached}`);
  }
  void providerSummarizer; void LEAST_CACHED; void LEAST_SHARED;
  return true;
};
