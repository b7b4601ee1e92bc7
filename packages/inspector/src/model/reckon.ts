import { costOfUsage, payback } from '@palimpsest/core';
import {
  type Cliff,
  type Course,
  type Item,
  type MessageTable,
  type PriceList,
  STATES,
  type State,
  type Stretch,
} from './inspection.ts';

/** What follows from an inspection, reckoned where it is shown: nothing here is stored. */

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** What a message is at a call, by its runs. */
export function stateAt(runs: readonly number[], call: number): State {
  let state = 0;
  for (let i = 0; i < runs.length && (runs[i] ?? 0) <= call; i += 2) state = runs[i + 1] ?? 0;
  return STATES[state] ?? 'unsaid';
}

/** The tokens of the view at a call, whatever they are of. */
export const viewTokens = ({ calls }: Course, call: number): number => sum(calls.kinds.map((kind) => kind[call] ?? 0));

/** One thing that a request held. */
export interface SeenRow {
  /** In the transcript; of what was made the place that it stands behind, -1 at the top. -2: before all messages. */
  readonly place: number;
  /** That the model saw of it. */
  readonly tokens: number;
  readonly state: State;
  /** Where it is not shown as it was said, or was never said. */
  readonly stretch?: Stretch;
}

/** What a request held, row by row; together they come to `viewTokens`. */
export function listSeen(course: Course, { tokens }: MessageTable, call: number): readonly SeenRow[] {
  const stretches = course.stretches.filter(({ from, to }) => from <= call && call < to);
  const parts = new Set(stretches.flatMap(({ place, made }) => (made === undefined ? [place] : [])));
  const rows: SeenRow[] = stretches.map((stretch) => {
    const { place, made } = stretch;
    return { place, tokens: stretch.tokens, state: made === undefined ? 'excerpt' : 'whole', stretch };
  });
  for (let place = 0; place < (course.calls.at[call] ?? 0); place++)
    if (!parts.has(place) && stateAt(course.lifelines[place] ?? [], call) === 'whole')
      rows.push({ place, tokens: tokens[place] ?? 0, state: 'whole' });
  if (course.system > 0) rows.push({ place: -2, tokens: course.system, state: 'whole' });
  const isMade = ({ stretch }: SeenRow): number => (stretch?.made === undefined ? 0 : 1);
  return rows.sort((one, other) => one.place - other.place || isMade(one) - isMade(other));
}

/** What one request cost: prompts alone, since answers cost the same whatever was hidden. */
export const priceCall = ({ calls }: Course, call: number, prices: PriceList): number =>
  costOfUsage({ cacheRead: calls.cacheRead[call] ?? 0, cacheWrite: calls.cacheWrite[call] ?? 0 }, prices);

/** What the summary of a compaction cost to ask for. */
export const priceSummary = ({ asked: [read, written, answered] = [0, 0, 0] }: Cliff, prices: PriceList): number =>
  costOfUsage({ cacheRead: read, cacheWrite: written, output: answered }, prices);

/** What all had cost by each call: prompts, and the summaries of compactions until then. */
export function addUpMoney(course: Course, prices: PriceList): readonly number[] {
  const { calls, cliffs } = course;
  const last = calls.at.length - 1;
  const all = calls.at.map((_, call) => priceCall(course, call, prices));
  for (const cliff of cliffs) {
    const call = Math.min(cliff.call, last);
    all[call] = (all[call] ?? 0) + priceSummary(cliff, prices);
  }
  let money = 0;
  return all.map((one) => (money += one));
}

/** What a course comes to. */
export interface CourseTotals {
  readonly calls: number;
  readonly compactions: number;
  readonly tokens: number;
  readonly cacheRead: number;
  readonly largest: number;
  readonly money: number;
}

export function addUpCourse(course: Course, prices: PriceList): CourseTotals {
  const { calls, cliffs } = course;
  const asked = cliffs.map(({ asked: one = [0, 0, 0] as const }) => one);
  const bill = {
    cacheRead: sum(calls.cacheRead) + sum(asked.map(([read]) => read)),
    cacheWrite: sum(calls.cacheWrite) + sum(asked.map(([, written]) => written)),
    output: sum(asked.map(([, , answered]) => answered)),
  };
  return {
    calls: calls.at.length,
    compactions: cliffs.filter(({ declared }) => declared).length,
    tokens: bill.cacheRead + bill.cacheWrite,
    cacheRead: bill.cacheRead,
    largest: calls.at.reduce((most, _, call) => Math.max(most, viewTokens(course, call)), 0),
    money: costOfUsage(bill, prices),
  };
}

/** What a provider reported of a course, as `palimpsest cost` adds it up. */
export interface ReportedTotals {
  /** How many calls it reported on. */
  readonly calls: number;
  readonly prompts: number;
  readonly answers: number;
  readonly money: number;
  /** The report on a call that is farthest from what the page counts, and that count. */
  readonly farthest: { readonly call: number; readonly reported: number; readonly counted: number };
}

/** Undefined where nothing was reported. */
export function addUpReported(course: Course, prices: PriceList): ReportedTotals | undefined {
  const { calls, cliffs } = course;
  const all = [...calls.reported, ...cliffs.map(({ reported }) => reported ?? null)].filter((one) => one !== null);
  if (all.length === 0) return undefined;
  const [input, cacheRead, cacheWrite, output] = [0, 1, 2, 3].map((i) => sum(all.map((one) => one[i] ?? 0)));
  const usage = { input: input ?? 0, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0, output: output ?? 0 };
  let farthest = { call: 0, reported: 0, counted: 0 };
  for (const [call, one] of calls.reported.entries()) {
    if (one === null) continue;
    const [reported, counted] = [one[0] + one[1] + one[2], viewTokens(course, call)];
    if (Math.abs(reported - counted) > Math.abs(farthest.reported - farthest.counted))
      farthest = { call, reported, counted };
  }
  return {
    calls: calls.reported.filter((one) => one !== null).length,
    prompts: usage.input + usage.cacheRead + usage.cacheWrite,
    answers: usage.output,
    money: costOfUsage(usage, prices),
    farthest,
  };
}

/** What a compaction costs at the next call and saves at each one after, by the engine's own cost model. */
export interface CliffPrice {
  readonly costNow: number;
  readonly savedPerCall: number;
  readonly callsToPayBack: number;
  /** Until the next compaction, or the end. */
  readonly callsAfter: number;
  /** What it saved in the end: below 0 where it never paid. */
  readonly gained: number;
}

export function priceCliff({ calls, cliffs }: Course, place: number, prices: PriceList): CliffPrice | undefined {
  const cliff = cliffs[place];
  if (cliff === undefined) return undefined;
  const next = cliffs.slice(place + 1).find((one) => one.declared && one.call > cliff.call);
  const callsAfter = Math.max(0, (next?.call ?? calls.at.length) - cliff.call);
  const { costNow, savedPerCall, callsToPayBack } = payback(
    { state: cliff.cold ? 'cold' : 'warm', prices, remainingCalls: callsAfter },
    {
      freed: Math.max(0, sum(cliff.before) - sum(cliff.after)),
      behind: cliff.behind,
      extra: priceSummary(cliff, prices),
    },
  );
  return { costNow, savedPerCall, callsToPayBack, callsAfter, gained: savedPerCall * callsAfter - costNow };
}

/** When a message first left the view, and by which compaction: the answer to "when did it forget this?". */
export interface Leaving {
  readonly call: number;
  readonly state: State;
  /** The compaction among the course's, where one is known. */
  readonly cliff?: number;
}

export function findLeaving({ lifelines, cliffs }: Course, place: number): Leaving | undefined {
  const runs = lifelines[place] ?? [];
  for (let i = 0; i < runs.length; i += 2) {
    const [call = 0, state = STATES[runs[i + 1] ?? 0] ?? 'unsaid'] = [runs[i]];
    if (state !== 'folded' && state !== 'hidden') continue;
    const cliff = cliffs.findLastIndex(
      (one) => one.call === call && one.items.some(({ from, to }) => from <= place && place <= to),
    );
    return { call, state, ...(cliff < 0 ? {} : { cliff }) };
  }
  return undefined;
}

/** How what a message says is had at the end of a course. */
export interface Reach {
  /** What the last view shows of it. */
  readonly state: State;
  /** The reference of what took it, or some of it; undefined where nothing did, or nobody can say. */
  readonly ref?: string;
}

/** By which name recall reads what is not in view any more, in a session of ours. */
export function findReach({ lifelines, cliffs }: Course, place: number): Reach {
  const state = STATES[lifelines[place]?.at(-1) ?? 0] ?? 'unsaid';
  if (state === 'unsaid' || state === 'whole') return { state };
  for (const { items, undoneAt } of cliffs.toReversed()) {
    const item = undoneAt === undefined ? findItem(items, place) : undefined;
    if (item !== undefined) return { state, ref: item.ref };
  }
  return { state };
}

/** Of what a compaction took, the item that a message is in. */
export const findItem = (items: readonly Item[], place: number): Item | undefined =>
  items.find(({ from, to, tokens }) => from <= place && place <= to && tokens >= 0);
