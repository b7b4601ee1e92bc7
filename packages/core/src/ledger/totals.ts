import { costOfUsage, type Prices } from '../size/cost.ts';
import type { Usage } from '../size/usage.ts';
import type { Entry, Fact } from './ledger.ts';

/** What calls to a model used, added up as the provider reported it. */
export interface Spending {
  readonly calls: number;
  /** Tokens that no cache served or took. */
  readonly input: number;
  /** Read from the provider's cache, and written into it. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** In money, of the calls whose prices are known. */
  readonly cost: number;
  /** Calls whose prices are not: their cost is in no figure. */
  readonly unpriced: number;
}

/** What a session has used so far, from its first call on: `session.totals()`. */
export interface Totals {
  /** The conversation's own calls. */
  readonly conversation: Spending;
  /** Summaries besides, rejected ones and drafts that nobody used among them, and a provider's own compactions. */
  readonly summaries: Spending;
  /** Of both. */
  readonly cost: number;
  readonly unpriced: number;
}

const none: Spending = { calls: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, cost: 0, unpriced: 0 };

export const noTotals: Totals = { conversation: none, summaries: none, cost: 0, unpriced: 0 };

/** A report may hold anything that is a number. */
const asAmount = (value: number | undefined): number => (Number.isFinite(value) && (value ?? 0) > 0 ? (value ?? 0) : 0);

interface Spent {
  readonly calls: number;
  readonly usage: Usage;
  /** Undefined: its prices are not known. */
  readonly cost: number | undefined;
}

const addSpent = (sum: Spending, { calls, usage, cost }: Spent): Spending => ({
  calls: sum.calls + calls,
  input: sum.input + asAmount(usage.input),
  cacheRead: sum.cacheRead + asAmount(usage.cacheRead),
  cacheWrite: sum.cacheWrite + asAmount(usage.cacheWrite),
  output: sum.output + asAmount(usage.output),
  cost: sum.cost + (cost ?? 0),
  unpriced: sum.unpriced + (cost === undefined ? calls : 0),
});

/** Of a report only what can have been used: figures below 0 are none. */
export const keepAmounts = ({ input, cacheRead, cacheWrite, output }: Usage): Usage => ({
  input: asAmount(input),
  cacheRead: asAmount(cacheRead),
  cacheWrite: asAmount(cacheWrite),
  output: asAmount(output),
});

/** What an entry tells of spending. A report that was taken for a sum over calls counts for nothing: they were told before. `prices`: for those of which the ledger does not say what they cost. */
export function addEntry(totals: Totals, entry: Entry, prices: Prices | undefined): Totals {
  if (entry.type === 'usage' && entry.ignored === 'cumulative') return totals;
  const price = (usage: Usage): number | undefined =>
    prices === undefined ? undefined : costOfUsage(keepAmounts(usage), prices);
  const summaries = listSummaries(entry);
  if (entry.type !== 'usage' && summaries.length === 0) return totals;
  const conversation =
    entry.type === 'usage'
      ? addSpent(totals.conversation, { calls: 1, usage: entry.usage, cost: entry.cost ?? price(entry.usage) })
      : totals.conversation;
  const all = summaries.reduce(
    (sum, spent) => addSpent(sum, { ...spent, cost: spent.cost ?? price(spent.usage) }),
    totals.summaries,
  );
  return {
    conversation,
    summaries: all,
    cost: conversation.cost + all.cost,
    unpriced: conversation.unpriced + all.unpriced,
  };
}

/**
 * The summaries that an entry says were paid for. Each stands in one place that counts: a draft and an answer that came to
 * nothing in an entry of its own, one that was asked for and used in the fold that shows it.
 */
function listSummaries(entry: Entry): readonly Spent[] {
  switch (entry.type) {
    case 'usage':
      return entry.usage.compaction === undefined ? [] : [{ calls: 1, usage: entry.usage.compaction, cost: undefined }];
    case 'draft':
      return [readFact(entry.draft.fact)];
    case 'fact':
      return entry.fact.type === 'summary' || entry.fact.type === 'failed' ? [readFact(entry.fact)] : [];
    case 'edits':
      return entry.edits.flatMap((edit) =>
        edit.type === 'fold' && edit.summary?.by === 'model' ? [readFact(edit.summary)] : [],
      );
    default:
      return [];
  }
}

const readFact = ({
  calls = 0,
  usage = {},
  cost,
}: Pick<Extract<Fact, { type: 'failed' }>, 'calls' | 'usage' | 'cost'>): Spent => ({
  calls,
  usage,
  // A summary that never reached the model cost nothing, whatever its prices are.
  cost: calls === 0 ? 0 : cost,
});
