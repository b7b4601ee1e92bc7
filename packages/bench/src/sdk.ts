import {
  clearOldResults,
  dropOldestRounds,
  type Layer,
  type SessionEvent,
  summarizeHistory,
  supersedeReads,
} from '@palimpsest/core';
import { explorer, type Faults, type SimEntry, startSim } from '@palimpsest/sim';
import { AGENTS, type Agent } from '@palimpsest/testing/sdk-agents';
import { providerSummarizer } from '@palimpsest/wire';
import type { KeepOptions } from '@palimpsest/wire/anthropic';
import type { Bench } from './bench.ts';

const WINDOW = 16_000;
const TURNS = 300;
const FAULTS: Faults = { rate: 0.03, seed: 11 };
const KEY = 'bench';
const TASK = 'Look through the whole folder, mend what you find, and tell me at the end what is in it.';

/** The bars: what a cache must serve between two compactions without a model, and of a summary's own request. */
const LEAST_CACHED = 0.9;
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

async function run(agent: Agent, keep?: Keep, faults?: Faults): Promise<Run> {
  const model = explorer({ seed: 7, turns: TURNS });
  const sim = await startSim({ model, window: WINDOW, ...(faults === undefined ? {} : { faults }) });
  const compacted = new Set<number>();
  const on = (event: SessionEvent): void => {
    if (event.type === 'view-compacted' && event.receipt.declared) compacted.add(sim.requests.length);
  };
  const work = { url: sim.url, key: KEY, workshop: model, task: TASK };
  const kept = keep === undefined ? {} : { keep: { window: WINDOW, ...keep(sim.url), on } };
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
    ended: answer.startsWith(`Done: ${TURNS} steps`),
    why,
    turns: sim.requests.filter(({ delivered, status, summary }) => delivered && status === 200 && !summary).length,
    requests: sim.requests,
    money,
    cacheReadShare,
    compacted,
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const money = (value: number): string => value.toFixed(2);
const verdict = (met: boolean): string => (met ? 'met' : 'MISSED');
const row = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(24) : cell.padStart(12))).join('');

const cachedShare = (entries: readonly SimEntry[]): number => {
  const used = entries.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  const all = used.reduce((sum, one) => sum + one.input + one.cacheRead + one.cacheWrite, 0);
  return all === 0 ? 0 : used.reduce((sum, one) => sum + one.cacheRead, 0) / all;
};

const refusedOf = ({ requests }: Run): number =>
  requests.filter(({ problem, fault }) => problem !== undefined && fault === undefined).length;

async function longRuns(print: (line: string) => void): Promise<boolean> {
  print(`A scripted agent of ${TURNS} turns with tools, window ${WINDOW} tokens, ${percent(0.03)} of requests fail.`);
  print('Beside it the same agent without Palimpsest and without faults, as far as it gets.');
  print('');
  print(
    row([
      '',
      'turns',
      'requests',
      'faults',
      'refused',
      'compactions',
      'money',
      'cache',
      'bare turns',
      'bare money',
      'bare cache',
    ]),
  );
  let good = true;
  for (const [name, agent] of Object.entries(AGENTS)) {
    const kept = await run(agent, () => ({}), FAULTS);
    const bare = await run(agent);
    const faults = kept.requests.filter(({ fault }) => fault !== undefined).length;
    good &&= kept.ended && refusedOf(kept) === 0 && !bare.ended;
    print(
      row([
        name,
        `${kept.turns}${kept.ended ? '' : ' †'}`,
        `${kept.requests.length}`,
        `${faults}`,
        `${refusedOf(kept)}`,
        `${kept.compacted.size}`,
        money(kept.money),
        percent(kept.cacheReadShare),
        `${bare.turns}${bare.ended ? '' : ' †'}`,
        money(bare.money),
        percent(bare.cacheReadShare),
      ]),
    );
    if (kept.why !== '') print(`  ${kept.why}`);
  }
  print('');
  print(`† ended before its work was done. All five end with no request refused: ${verdict(good)}.`);
  return good;
}

async function cheapLayers(print: (line: string) => void): Promise<boolean> {
  const layers: readonly Layer[] = [supersedeReads(), clearOldResults({ mode: 'prune' }), dropOldestRounds()];
  print('');
  print('Cheap layers alone: what a cache serves of the input of requests that follow no compaction.');
  let good = true;
  for (const [name, agent] of Object.entries(AGENTS)) {
    const { ended, requests, compacted } = await run(agent, () => ({ layers }));
    const share = cachedShare(requests.filter((_, i) => i > 0 && !compacted.has(i)));
    good &&= ended && share >= LEAST_CACHED;
    print(row([name, percent(share), `${compacted.size} comp.`]));
  }
  print(`The bar is ${percent(LEAST_CACHED)}: ${verdict(good)}.`);
  return good;
}

const SUMMARIZERS = [
  ['Anthropic SDK', 'anthropic', 'claude-sonnet-5', ''],
  ['OpenAI SDK, chat', 'openai-chat', 'gpt-5.5', '/v1'],
  ['OpenAI SDK, responses', 'openai-responses', 'gpt-5.5', '/v1'],
] as const;

async function sharedSummaries(print: (line: string) => void): Promise<boolean> {
  print('');
  print('Summaries by the model of the conversation: what a cache serves of their requests in same-prefix form.');
  let good = true;
  for (const preset of ['summaries alone', 'default'])
    for (const [name, api, model, path] of SUMMARIZERS) {
      const { requests } = await run(AGENTS[name], (url) => ({
        ...(preset === 'default' ? {} : { layers: [summarizeHistory(), dropOldestRounds()] }),
        ports: {
          summarizer: providerSummarizer({ api, endpoint: { url: url + path, key: KEY }, model, window: WINDOW }),
        },
      }));
      const calls = requests.filter(({ summary }) => summary);
      const same = calls.filter(({ body }) => {
        const { messages, input } = body as { messages?: unknown[]; input?: unknown[] };
        return (messages ?? input ?? []).length > 1;
      });
      const share = cachedShare(same);
      good &&= same.length === 0 || share >= LEAST_SHARED;
      print(row([name, percent(share), `${same.length} calls`, `${calls.length - same.length} alone`, `  ${preset}`]));
    }
  print(`The bar is ${percent(LEAST_SHARED)}: ${verdict(good)}.`);
  return good;
}

export const sdkBench: Bench = async (print) => {
  const all = [await longRuns(print), await cheapLayers(print), await sharedSummaries(print)];
  return all.every((one) => one);
};
