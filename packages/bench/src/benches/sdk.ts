import {
  clearOldResults,
  dropOldestRounds,
  type Layer,
  presets,
  summarizeHistory,
  supersedeReads,
} from '@palimpsest/core';
import { asFields, asList } from '@palimpsest/core/json';
import type { KeepOptions, KeptEvent } from '@palimpsest/sdk/anthropic';
import { explorer, type Faults, type SimEntry, startSim } from '@palimpsest/sim';
import { AGENTS, type Agent } from '@palimpsest/testing/sdk-agents';
import { providerSummarizer } from '@palimpsest/wire';
import type { Bench, Print } from '../bench.ts';
import { formatPercent, formatVerdict } from '../figures.ts';

const WINDOW = 16_000;
const LARGER_WINDOW = 60_000;
const TURNS = 300;
const STANDARD_TURNS = 60;
const FAULTS = { rate: 0.03, seed: 11 } as const satisfies Faults;
const KEY = 'bench';
const TASK = 'Look through the whole folder, mend what you find, and tell me at the end what is in it.';

/** The bars: what a cache must serve between two compactions without a model, and of a summary's own request. */
const LEAST_CACHED = 0.9;
/** What a cache must serve of a whole run, compactions included. */
const LEAST_CACHED_IN_ALL = 0.7;
const LEAST_SHARED = 0.85;

interface Run {
  readonly ended: boolean;
  readonly why: string;
  readonly turns: number;
  readonly requests: readonly SimEntry[];
  readonly money: number;
  readonly cacheReadShare: number;
  /** Requests, counted from 0, that hide something which the one before showed. */
  readonly compacted: ReadonlySet<number>;
}

type Keep = (url: string) => Partial<KeepOptions>;

async function runAgent(
  agent: Agent,
  keep?: Keep,
  faults?: Faults,
  { window = WINDOW, turns = TURNS } = {},
): Promise<Run> {
  const model = explorer({ seed: 7, turns });
  const sim = await startSim({ model, window, ...(faults === undefined ? {} : { faults }) });
  const compacted = new Set<number>();
  const on = (event: KeptEvent): void => {
    if (event.type === 'view-compacted' && event.receipt.declared) compacted.add(sim.requests.length);
  };
  const work = { url: sim.url, key: KEY, workshop: model, task: TASK };
  const kept = keep === undefined ? {} : { keep: { window, ...keep(sim.url), on } };
  let why = '';
  let answer = '';
  try {
    answer = await agent({ ...work, ...kept });
  } catch (error) {
    why = (error as Error).message.split('\n')[0]!;
  }
  await sim.close();
  const { money, cacheReadShare } = sim.bill();
  return {
    ended: answer.startsWith(`Done: ${turns} steps`),
    why,
    turns: sim.requests.filter(({ delivered, status, summary }) => delivered && status === 200 && !summary).length,
    requests: sim.requests,
    money,
    cacheReadShare,
    compacted,
  };
}

const formatMoney = (value: number): string => value.toFixed(2);
const formatRow = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(26) : cell.padStart(12))).join('');

const findCachedShare = (entries: readonly SimEntry[]): number => {
  const used = entries.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  const all = used.reduce((sum, one) => sum + one.input + one.cacheRead + one.cacheWrite, 0);
  return all === 0 ? 0 : used.reduce((sum, one) => sum + one.cacheRead, 0) / all;
};

const countRefused = ({ requests }: Run): number =>
  requests.filter(({ problem, fault }) => problem !== undefined && fault === undefined).length;

async function runStandard(): Promise<ReadonlyMap<string, Run>> {
  const runs = new Map<string, Run>();
  for (const [agent, work] of Object.entries(AGENTS))
    runs.set(agent, await runAgent(work, () => ({}), undefined, { turns: STANDARD_TURNS }));
  return runs;
}

function printStandardRuns(runs: ReadonlyMap<string, Run>, print: Print): boolean {
  print(`The standard run: ${STANDARD_TURNS} turns with tools, window ${WINDOW} tokens, no faults.`);
  print(formatRow(['', 'requests', 'refused', 'compactions', 'money', 'cache']));
  for (const [agent, run] of runs) {
    const { requests, compacted, money, cacheReadShare } = run;
    const figures = [requests.length, countRefused(run), compacted.size].map(String);
    print(formatRow([agent, ...figures, formatMoney(money), formatPercent(cacheReadShare)]));
    if (run.why !== '') print(`  ${run.why}`);
  }
  const isMet = [...runs.values()].every(
    (run) => run.ended && countRefused(run) === 0 && run.cacheReadShare >= LEAST_CACHED_IN_ALL,
  );
  print(`None refused, and the bar of the cache is ${formatPercent(LEAST_CACHED_IN_ALL)}: ${formatVerdict(isMet)}.`);
  print('');
  return isMet;
}

interface LongRun {
  readonly agent: string;
  readonly kept: Run;
  /** The same agent without Palimpsest and without faults. */
  readonly bare: Run;
}

async function runLong(): Promise<readonly LongRun[]> {
  const runs: LongRun[] = [];
  for (const [agent, work] of Object.entries(AGENTS))
    runs.push({ agent, kept: await runAgent(work, () => ({}), FAULTS), bare: await runAgent(work) });
  return runs;
}

function printLongRuns(runs: readonly LongRun[], print: Print): boolean {
  print(
    `A scripted agent of ${TURNS} turns with tools, window ${WINDOW} tokens, ${formatPercent(FAULTS.rate)} of requests fail.`,
  );
  print('Beside it the same agent without Palimpsest and without faults, as far as it gets.');
  print('');
  const about = ['turns', 'requests', 'faults', 'refused', 'compactions', 'money', 'cache'];
  print(formatRow(['', ...about, 'bare turns', 'bare money', 'bare cache']));
  const formatTurns = ({ turns, ended }: Run): string => `${turns}${ended ? '' : ' †'}`;
  for (const { agent, kept, bare } of runs) {
    const faults = kept.requests.filter(({ fault }) => fault !== undefined).length;
    print(
      formatRow([
        agent,
        formatTurns(kept),
        `${kept.requests.length}`,
        `${faults}`,
        `${countRefused(kept)}`,
        `${kept.compacted.size}`,
        formatMoney(kept.money),
        formatPercent(kept.cacheReadShare),
        formatTurns(bare),
        formatMoney(bare.money),
        formatPercent(bare.cacheReadShare),
      ]),
    );
    if (kept.why !== '') print(`  ${kept.why}`);
  }
  const isMet = runs.every(({ kept, bare }) => kept.ended && countRefused(kept) === 0 && !bare.ended);
  print('');
  print(`† ended before its work was done. All end with no request refused: ${formatVerdict(isMet)}.`);
  return isMet;
}

interface CheapRun {
  readonly agent: string;
  readonly ended: boolean;
  readonly cached: number;
  readonly compactions: number;
}

async function runCheapLayers(): Promise<readonly CheapRun[]> {
  const layers: readonly Layer[] = [supersedeReads(), clearOldResults({ mode: 'prune' }), dropOldestRounds()];
  const runs: CheapRun[] = [];
  for (const [agent, work] of Object.entries(AGENTS)) {
    const { ended, requests, compacted } = await runAgent(work, () => ({ layers }));
    const cached = findCachedShare(requests.filter((_, i) => i > 0 && !compacted.has(i)));
    runs.push({ agent, ended, cached, compactions: compacted.size });
  }
  return runs;
}

function printCheapRuns(runs: readonly CheapRun[], print: Print): boolean {
  print('');
  print('Cheap layers alone: what a cache serves of the input of requests that follow no compaction.');
  for (const { agent, cached, compactions } of runs)
    print(formatRow([agent, formatPercent(cached), `${compactions} comp.`]));
  const isMet = runs.every(({ ended, cached }) => ended && cached >= LEAST_CACHED);
  print(`The bar is ${formatPercent(LEAST_CACHED)}: ${formatVerdict(isMet)}.`);
  return isMet;
}

const SUMMARIZERS = [
  ['Anthropic SDK', 'anthropic', 'claude-sonnet-5', ''],
  ['OpenAI SDK, chat', 'openai-chat', 'gpt-5.5', '/v1'],
  ['OpenAI SDK, responses', 'openai-responses', 'gpt-5.5', '/v1'],
] as const;

interface SummaryRun {
  readonly agent: string;
  readonly preset: string;
  readonly cached: number;
  /** Summary requests that share the conversation's prefix, and those that stand alone. */
  readonly same: number;
  readonly alone: number;
}

async function runSummaries(): Promise<readonly SummaryRun[]> {
  const runs: SummaryRun[] = [];
  // In a small window `default` asks no model by itself.
  const lists = [
    { preset: 'summaries alone', layers: [summarizeHistory(), dropOldestRounds()], window: WINDOW },
    { preset: `default, window ${LARGER_WINDOW}`, layers: presets.default(), window: LARGER_WINDOW },
  ];
  for (const { preset, layers, window } of lists)
    for (const [agent, api, model, path] of SUMMARIZERS) {
      const keep: Keep = (url) => ({
        layers,
        ports: { summarizer: providerSummarizer({ api, endpoint: { url: url + path, key: KEY }, model, window }) },
      });
      const { requests } = await runAgent(AGENTS[agent], keep, undefined, { window });
      const calls = requests.filter(({ summary }) => summary);
      const same = calls.filter(({ body }) => {
        const { messages, input } = asFields(body);
        return asList(messages ?? input).length > 1;
      });
      runs.push({ agent, preset, cached: findCachedShare(same), same: same.length, alone: calls.length - same.length });
    }
  return runs;
}

function printSummaryRuns(runs: readonly SummaryRun[], print: Print): boolean {
  print('');
  print('Summaries by the model of the conversation: what a cache serves of their requests in same-prefix form.');
  for (const { agent, preset, cached, same, alone } of runs)
    print(formatRow([agent, formatPercent(cached), `${same} calls`, `${alone} alone`, `  ${preset}`]));
  const isMet = runs.every(({ same, cached }) => same > 0 && cached >= LEAST_SHARED);
  print(`The bar is ${formatPercent(LEAST_SHARED)}: ${formatVerdict(isMet)}.`);
  return isMet;
}

interface Seen {
  readonly standard: ReadonlyMap<string, Run>;
  readonly long: readonly LongRun[];
  readonly cheap: readonly CheapRun[];
  readonly summaries: readonly SummaryRun[];
}

/** Agents of all SDKs through long work, with faults, and what their caches serve. */
export const sdkBench: Bench<Seen> = {
  name: 'sdk',
  run: async () => ({
    standard: await runStandard(),
    long: await runLong(),
    cheap: await runCheapLayers(),
    summaries: await runSummaries(),
  }),
  print({ standard, long, cheap, summaries }, print) {
    const met = [
      printStandardRuns(standard, print),
      printLongRuns(long, print),
      printCheapRuns(cheap, print),
      printSummaryRuns(summaries, print),
    ];
    return met.every((one) => one);
  },
};
