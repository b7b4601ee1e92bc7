import { DEFAULT_TTL_MS, type Message, type Usage } from '@palimpsest/core';
import { newPrefixCache } from '@palimpsest/measure';
import {
  classifyMessage,
  countOnce,
  type Made,
  mainKind,
  NO_WEIGHTS,
  sumWeights,
  type Weights,
} from './classify-message.ts';
import { type CallTable, type Cliff, type Course, KINDS, STATES } from './inspection.ts';
import { newStretches, type SaidAs } from './note-stretches.ts';

/** What a request showed, as the one who follows a course knows it. */
export interface Shown {
  readonly view: readonly Message[];
  /** How many messages had been said. */
  readonly at: number;
  readonly when: number | undefined;
  /** Undefined for a message that somebody said. */
  readonly madeAs: (message: Message) => Made | undefined;
  /** Numbers of `STATES` for the messages from this place on that had been said. */
  readonly states: (from: number) => Uint8Array;
}

/** What a compaction is, besides what the builder finds out itself. */
export type AboutCliff = Omit<Cliff, 'call' | 'before' | 'after' | 'behind' | 'cold' | 'asked'>;

/** A compaction as its receipt measured it, in tokens. The page then states the same figures as the receipt and the log. */
export interface CliffSizes {
  readonly before: number;
  readonly after: number;
  /** Of what was sent besides the messages. */
  readonly overhead: number;
}

/** Adds up one course, request by request. */
export interface CourseBuilder {
  readonly calls: number;
  request(shown: Shown): void;
  /** The provider's report on the newest request. */
  report(usage: Usage): void;
  /** A change of the view before the next request. */
  addCliff(
    about: AboutCliff,
    before: readonly Message[],
    after: readonly Message[],
    madeAs: Shown['madeAs'],
    sizes?: CliffSizes,
  ): void;
  /** A summary was asked for behind a view; it belongs to the cliff that comes next. */
  summarize(view: readonly Message[], when: number | undefined, tokens: number): void;
  /** The walk was taken back. */
  undo(walk: number): void;
  finish(name: string, budget: Course['budget']): Course;
  /** Excerpts as views showed them, by `#place@call`. */
  readonly excerpts: ReadonlyMap<string, Message>;
}

const UNSAID = STATES.indexOf('unsaid');

/** `sizes`: estimated tokens of all that is said, by place. */
export function newCourseBuilder(systemTokens: number, sizes: readonly number[], saidAs: SaidAs): CourseBuilder {
  const cache = newPrefixCache(systemTokens);
  const weigh = newWeigher();
  const table = newCallTable();
  const stretches = newStretches(saidAs);
  const cliffs: Cliff[] = [];
  const lifelines: number[][] = sizes.map(() => []);
  const spent = newMeterOfBill(cache.bill);
  let asked: Cliff['asked'];
  let before: readonly Message[] = [];
  let weights: Weights = withSystem(systemTokens);
  let lastWhen: number | undefined;
  let [told, said, settled] = [0, 0, 0];

  const addWeights = (view: readonly Message[], madeAs: Shown['madeAs'], from = withSystem(systemTokens)): Weights =>
    view.reduce((sum, message) => addUp(sum, weigh(message, madeAs), 1), from);
  const isColdAt = (when: number | undefined): boolean =>
    when !== undefined && lastWhen !== undefined && when - lastWhen > DEFAULT_TTL_MS;

  return {
    get calls() {
      return table.at.length;
    },
    request({ view, at, when, madeAs, states }) {
      const call = table.at.length;
      const same = countCommon(before, view);
      weights = before.slice(same).reduce((sum, message) => addUp(sum, weigh(message, madeAs), -1), weights);
      weights = addWeights(view.slice(same), madeAs, weights);
      stretches.note(call, before, view, same, madeAs);
      cache.request(view, when);
      const { read, written } = spent();
      const fresh = countFresh(before, view, same);
      for (; told < at; told++) said += sizes[told] ?? 0;
      const shown = weights.reduce((sum, tokens, kind) => sum + (MADE.has(kind) ? 0 : tokens), -systemTokens);
      addRow(table, weights, {
        at,
        times: when ?? null,
        hidden: Math.max(0, said - shown),
        cacheRead: read,
        cacheWrite: written,
        again: call === 0 ? 0 : Math.max(0, written - fresh),
      });
      // Where the view only grew, what was there before is shown as it was.
      const from = same === before.length ? settled : 0;
      noteStates(lifelines, call, from, states(from));
      settled = at;
      const isCold = isColdAt(when);
      for (let i = cliffs.length - 1; isCold && cliffs[i]?.call === call; i--) coolCliff(cliffs, i);
      before = view;
      lastWhen = when ?? lastWhen;
    },
    report(usage) {
      if (table.reported.length > 0) table.reported[table.reported.length - 1] = listUsage(usage);
    },
    summarize(view, when, tokens) {
      cache.summarize(view, when, tokens);
      asked = addAsked(asked, spent());
    },
    addCliff(about, viewBefore, viewAfter, madeAs, sizes) {
      if (about.trigger === 'overflow' && about.walk !== undefined) noteRefusal(table);
      cliffs.push({
        ...about,
        call: table.at.length,
        before: sizeView(addWeights(viewBefore, madeAs, NO_WEIGHTS), systemTokens, sizes, sizes?.before),
        after: sizeView(addWeights(viewAfter, madeAs, NO_WEIGHTS), systemTokens, sizes, sizes?.after),
        behind: countUncached(before, viewAfter) - countUncached(before, viewBefore),
        cold: false,
        ...(asked === undefined ? {} : { asked }),
      });
      asked = undefined;
    },
    undo: (walk) => takeBack(cliffs, walk, table.at.length),
    finish(name, budget) {
      const shown = { system: systemTokens, stretches: stretches.list(table.at.length) };
      return { name, budget, calls: table, cliffs, ...shown, lifelines };
    },
    excerpts: stretches.excerpts,
  };
}

/** A report as the page has it. */
export const listUsage = ({
  input = 0,
  cacheRead = 0,
  cacheWrite = 0,
  output = 0,
}: Usage): readonly [number, number, number, number] => [input, cacheRead, cacheWrite, output];

/** What a view holds that the one before did not; the first `same` messages are in both. */
function countFresh(before: readonly Message[], view: readonly Message[], same: number): number {
  const earlier = new Set(before.slice(same));
  return countAll(view.slice(same).filter((message) => !earlier.has(message)));
}

/** What the cache, as the last request left it, does not serve of a view. */
const countUncached = (before: readonly Message[], view: readonly Message[]): number =>
  countAll(view.slice(countCommon(before, view)));

const countAll = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + countOnce(message), 0);

const MADE = new Set([KINDS.indexOf('summaries'), KINDS.indexOf('carried')]);

const withSystem = (tokens: number): Weights => NO_WEIGHTS.map((_, kind) => (KINDS[kind] === 'system' ? tokens : 0));

const addUp = (sum: Weights, weights: Weights, sign: 1 | -1): Weights =>
  sum.map((tokens, kind) => tokens + sign * (weights[kind] ?? 0));

/** A view with what is sent besides. Where a receipt measured it, the messages share what the receipt states. */
function sizeView(messages: Weights, systemTokens: number, sizes: CliffSizes | undefined, total = 0): Weights {
  if (sizes === undefined) return addUp(messages, withSystem(systemTokens), 1);
  const room = Math.max(0, total - sizes.overhead);
  const factor = room / Math.max(1, sumWeights(messages));
  const scaled = messages.map((tokens) => Math.round(tokens * factor));
  const largest = mainKind(scaled);
  const rest = room - sumWeights(scaled);
  return addUp(
    withSystem(sizes.overhead),
    scaled.map((tokens, kind) => (kind === largest ? tokens + rest : tokens)),
    1,
  );
}

type Mutable<Columns> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends readonly (infer One)[] ? One[] : never;
};

const newCallTable = (): Mutable<Omit<CallTable, 'kinds'>> & { readonly kinds: number[][] } => ({
  at: [],
  times: [],
  kinds: KINDS.map(() => []),
  hidden: [],
  cacheRead: [],
  cacheWrite: [],
  again: [],
  reported: [],
  refused: [],
});

type Row = { readonly [Name in Exclude<keyof CallTable, 'kinds' | 'reported' | 'refused'>]: CallTable[Name][number] };

function addRow(table: ReturnType<typeof newCallTable>, weights: Weights, row: Row): void {
  table.at.push(row.at);
  table.times.push(row.times);
  for (const [kind, tokens] of weights.entries()) table.kinds[kind]?.push(tokens);
  table.hidden.push(row.hidden);
  table.cacheRead.push(row.cacheRead);
  table.cacheWrite.push(row.cacheWrite);
  table.again.push(row.again);
  table.reported.push(null);
}

/** The newest request was too long; one that the provider reported on was not. */
function noteRefusal(table: ReturnType<typeof newCallTable>): void {
  const call = table.at.length - 1;
  if (call < 0 || table.reported[call] !== null || table.refused.includes(call)) return;
  table.refused.push(call);
  for (const column of [table.cacheRead, table.cacheWrite, table.again]) column[call] = 0;
}

function newWeigher(): (message: Message, madeAs: Shown['madeAs']) => Weights {
  const known = new WeakMap<Message, Weights>();
  return (message, madeAs) => {
    const weights = known.get(message) ?? classifyMessage(message, madeAs(message));
    known.set(message, weights);
    return weights;
  };
}

const addAsked = (
  [read, written, answered]: NonNullable<Cliff['asked']> = [0, 0, 0],
  spent: ReturnType<ReturnType<typeof newMeterOfBill>>,
): NonNullable<Cliff['asked']> => [read + spent.read, written + spent.written, answered + spent.answered];

/** What the bill has more than when it was asked last. */
function newMeterOfBill(bill: ReturnType<typeof newPrefixCache>['bill']) {
  let before = bill();
  return () => {
    const now = bill();
    const spent = {
      read: now.cacheRead - before.cacheRead,
      written: now.cacheWrite - before.cacheWrite,
      answered: now.summaries - before.summaries,
    };
    before = now;
    return spent;
  };
}

/** How many messages two views have in common from the start. */
export function countCommon(one: readonly Message[], other: readonly Message[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count++;
  return count;
}

/** Where a state is another than before, a new run begins. */
function noteStates(lifelines: readonly number[][], call: number, from: number, states: Uint8Array): void {
  for (let i = 0; i < states.length; i++) {
    const runs = lifelines[from + i];
    const state = states[i] ?? UNSAID;
    if (runs !== undefined && state !== UNSAID && runs.at(-1) !== state) runs.push(call, state);
  }
}

function takeBack(cliffs: Cliff[], walk: number, call: number): void {
  const place = cliffs.findLastIndex((cliff) => cliff.walk === walk);
  const found = cliffs[place];
  if (found !== undefined) cliffs[place] = { ...found, undoneAt: call };
}

function coolCliff(cliffs: Cliff[], place: number): void {
  const cliff = cliffs[place];
  if (cliff !== undefined) cliffs[place] = { ...cliff, cold: true };
}
