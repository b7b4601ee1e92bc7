import { type SimUsage, totalInput } from '../api/usage.ts';
import type { SimPrices } from '../models.ts';
import type { SimEntry } from './log.ts';

/** Tokens and money of some requests; refused ones cost nothing and are not counted. */
export interface BillLine {
  readonly requests: number;
  /** What no cache served or kept. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** By the models' prices. */
  readonly money: number;
  /** Of all input tokens, the share that a cache served. */
  readonly cacheReadShare: number;
}

/** The sum of all, and each model's part of it. */
export interface Bill extends BillLine {
  readonly byModel: Readonly<Record<string, BillLine>>;
}

const MILLION = 1_000_000;

export function priceOf(usage: SimUsage, prices: SimPrices): number {
  const hour = prices.cacheWriteHour ?? prices.input * 2;
  return (
    (usage.input * prices.input +
      usage.output * prices.output +
      usage.cacheRead * prices.cacheRead +
      (usage.cacheWrite - usage.cacheWriteHour) * prices.cacheWrite +
      usage.cacheWriteHour * hour) /
    MILLION
  );
}

/** By what was really used, whatever a fault made the answers say. Refused requests cost nothing. */
export function billOf(entries: readonly SimEntry[]): Bill {
  const models = [...new Set(entries.map(({ model }) => model))];
  return {
    ...addUp(entries),
    byModel: Object.fromEntries(models.map((name) => [name, addUp(entries.filter(({ model }) => model === name))])),
  };
}

function addUp(entries: readonly SimEntry[]): BillLine {
  const paid = entries.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  const sum = (of: (usage: SimUsage) => number): number => paid.reduce((total, usage) => total + of(usage), 0);
  const all = sum(totalInput);
  const cacheRead = sum((usage) => usage.cacheRead);
  return {
    requests: paid.length,
    input: sum((usage) => usage.input),
    output: sum((usage) => usage.output),
    cacheRead,
    cacheWrite: sum((usage) => usage.cacheWrite),
    money: entries.reduce((total, { money }) => total + money, 0),
    cacheReadShare: all === 0 ? 0 : cacheRead / all,
  };
}
