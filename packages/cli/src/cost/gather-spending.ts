import { costOfUsage, type JournalRecord, type Usage } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import type { PriceOf } from './price-table.ts';

/** What one call used, and where it belongs. */
export interface Spent {
  /** `2026-11-15`; unknown where nobody said when. */
  readonly day: string;
  readonly model: string;
  readonly agent: string;
  readonly session: string;
  readonly usage: Usage;
  /** In US dollars; undefined where the model's price is not known. */
  readonly money: number | undefined;
  /** Tells the call from all others: copied, forked and resumed sessions hold it again. */
  readonly request?: string;
}

/** One line of an account. */
export interface Account {
  readonly name: string;
  readonly calls: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** In US dollars, of the calls whose price is known. */
  readonly money: number;
  /** Calls of models whose price is not known. */
  readonly unpriced: number;
}

const UNKNOWN = 'unknown';

const dayOf = (at: number | undefined): string =>
  at === undefined || Math.abs(at) > 8.64e15 ? UNKNOWN : new Date(at).toISOString().slice(0, 10);

/** Every call of a recording that its provider reported on, and its own summaries. */
export function listRecorded(
  { format, id, messages, usage, compactions, model = UNKNOWN }: Recording,
  about: Pick<Spent, 'agent' | 'session'>,
  priceOf: PriceOf,
): readonly Spent[] {
  const timeOf = (place: number): number | undefined =>
    messages[place]?.at ?? messages.slice(0, place).findLast(({ at }) => at !== undefined)?.at;
  const spend = (used: Usage, at: number | undefined, asked: string, request?: string): Spent => {
    const prices = priceOf(asked);
    return {
      ...about,
      model: asked,
      day: dayOf(at),
      usage: used,
      money: prices === undefined ? undefined : costOfUsage(used, prices),
      ...(request === undefined ? {} : { request: `${format} ${request}` }),
    };
  };
  /** A message that has a time, or whose session has an id, is the same one in another file. */
  const name = (message: string | undefined, at: number | undefined, used: Usage): string | undefined =>
    at === undefined && id === undefined ? undefined : [message, at ?? id, JSON.stringify(used)].join(' ');
  return [
    ...usage.map((one) =>
      spend(
        one.usage,
        timeOf(one.after),
        one.model ?? model,
        one.request ?? name(messages[one.after]?.id, messages[one.after]?.at, one.usage),
      ),
    ),
    ...compactions.flatMap((one) =>
      one.usage === undefined
        ? []
        : [spend(one.usage, one.when ?? timeOf(one.at), model, name('compaction', one.when, one.usage))],
    ),
  ];
}

/** Every call of a session of ours; where its journal says what one cost, that counts. */
export function listOwn(records: readonly JournalRecord[], session: string): readonly Spent[] {
  const about = { agent: 'Palimpsest', session, model: UNKNOWN };
  const spent: Spent[] = [];
  let at: number | undefined;
  for (const record of records) {
    if (record.type === 'message') at = record.message.at ?? at;
    if (record.type !== 'entry' || record.entry.type !== 'usage' || record.entry.ignored === 'cumulative') continue;
    const { usage, cost } = record.entry;
    spent.push({ ...about, day: dayOf(at), usage, money: cost });
  }
  return spent;
}

/** Each request once, where it was found first. */
export function countOnce(spent: readonly Spent[]): readonly Spent[] {
  const seen = new Set<string>();
  return spent.filter(({ request }) => {
    if (request === undefined) return true;
    const isNew = !seen.has(request);
    seen.add(request);
    return isNew;
  });
}

/** Added up by day, by model or by session, the dearest first; days in their order, the newest first. */
export function addUpBy(by: 'day' | 'model' | 'session', spent: readonly Spent[]): readonly Account[] {
  const accounts = new Map<string, Account>();
  for (const one of spent) {
    const name = by === 'session' ? `${one.agent}: ${one.session}` : one[by];
    const before = accounts.get(name);
    accounts.set(name, addSpent(before ?? emptyAccount(name), one));
  }
  const all = [...accounts.values()];
  return by === 'day'
    ? all.sort((one, other) => (one.name < other.name ? 1 : -1))
    : all.sort((one, other) => other.money - one.money);
}

export const emptyAccount = (name: string): Account => ({
  name,
  calls: 0,
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  money: 0,
  unpriced: 0,
});

const addSpent = (sum: Account, { usage, money }: Spent): Account => ({
  name: sum.name,
  calls: sum.calls + 1,
  input: sum.input + (usage.input ?? 0),
  cacheRead: sum.cacheRead + (usage.cacheRead ?? 0),
  cacheWrite: sum.cacheWrite + (usage.cacheWrite ?? 0),
  output: sum.output + (usage.output ?? 0),
  money: sum.money + (money ?? 0),
  unpriced: sum.unpriced + (money === undefined ? 1 : 0),
});

/** All of it in one line. */
export const addUpAll = (spent: readonly Spent[]): Account => spent.reduce(addSpent, emptyAccount('in all'));
