import type { SimEntry, SimModel } from '@palimpsest/sim';

/** What a run was paid for, in the money of the prices. */
export interface SplitBill {
  /** Reading system prompt and tools at every call: no compaction spares it. */
  readonly prefix: number;
  /** Reading the conversation behind them. */
  readonly view: number;
  /** What was said for the first time. */
  readonly said: number;
  /** What compactions wrote anew. */
  readonly anew: number;
  readonly answers: number;
  /** Requests for summaries, whole. */
  readonly summaries: number;
}

const MILLION = 1_000_000;

/**
 * Splits what the requests of one conversation cost. Nothing but a compaction makes a request shorter than the one before it; what the
 * cache served of the one that it served least of is the prefix.
 */
export function splitBill(
  work: readonly SimEntry[],
  summaries: readonly SimEntry[],
  { prices }: Pick<SimModel, 'prices'>,
): SplitBill {
  const usages = work.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  const prefix = Math.min(Infinity, ...usages.flatMap(({ cacheRead }) => (cacheRead === 0 ? [] : [cacheRead])));
  const bill = { prefix: 0, view: 0, said: 0, anew: 0, answers: 0, summaries: sumMoney(summaries) };
  let before = 0;
  for (const { input, cacheRead, cacheWrite, output } of usages) {
    const total = input + cacheRead + cacheWrite;
    const own = Math.min(cacheRead, prefix);
    bill[total < before ? 'anew' : 'said'] += (input * prices.input + cacheWrite * prices.cacheWrite) / MILLION;
    bill.prefix += (own * prices.cacheRead) / MILLION;
    bill.view += ((cacheRead - own) * prices.cacheRead) / MILLION;
    bill.answers += (output * prices.output) / MILLION;
    before = total;
  }
  return bill;
}

const sumMoney = (entries: readonly SimEntry[]): number => entries.reduce((sum, { money }) => sum + money, 0);
