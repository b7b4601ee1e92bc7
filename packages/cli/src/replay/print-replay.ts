import type { PresetName } from '@palimpsest/core';
import { promptMoney, promptTokens } from '../../../measure/src/money/prefix-cache.ts';
import { AHEAD_CALLS } from '../../../measure/src/needs/needs-ahead.ts';
import { type Outcome, type Share, sumOf } from '../../../measure/src/replay/replay-session.ts';
import { CLASSES } from '../../../measure/src/words/word-book.ts';
import { barChart } from '../printing/bar-chart.ts';
import { many, millions, money, percent, whole } from '../printing/figures.ts';
import type { Terminal } from '../terminal.ts';
import { padEnd, padStart } from '../text-width.ts';

/** One preset over several sessions. */
export function totalOf(outcomes: readonly Outcome[], preset: PresetName): Outcome {
  const own = outcomes.filter((one) => one.preset === preset);
  const sum = (of: (one: Outcome) => number): number => own.reduce((all, one) => all + of(one), 0);
  return {
    preset,
    calls: sum((one) => one.calls),
    cacheRead: sum((one) => one.cacheRead),
    cacheWrite: sum((one) => one.cacheWrite),
    compactions: sum((one) => one.compactions),
    unfit: sum((one) => one.unfit),
    recall: sumOf(own.map((one) => one.recall)),
  };
}

const share = ({ held, needed }: Share): number => (needed === 0 ? Number.NaN : (100 * held) / needed);

/** The mean over the classes in which anything was needed. */
export function recallOf({ recall }: Outcome): number {
  const known = CLASSES.map((name) => share(recall[name])).filter((value) => !Number.isNaN(value));
  return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0) / known.length;
}

const COLUMNS: readonly (readonly [title: string, width: number, cell: (one: Outcome) => string])[] = [
  ['tokens', 9, (one) => millions(promptTokens(one))],
  ['money', 9, (one) => money(promptMoney(one))],
  ['cached', 8, (one) => percent(one.cacheRead, promptTokens(one))],
  ['compactions', 12, (one) => whole(one.compactions)],
  ...CLASSES.map((name) => {
    const cell = ({ recall }: Outcome): string => percent(recall[name].held, recall[name].needed);
    return [name, name === 'identifiers' ? 12 : name === 'files' ? 8 : 9, cell] as const;
  }),
];

export function printOutcomes(terminal: Terminal, outcomes: readonly Outcome[], detail: string): void {
  const { print, paint, columns } = terminal;
  print(detail);
  print();
  print(paint.dim(`${' '.repeat(51)}recall of`));
  print(paint.dim(`${padEnd('preset', 12)}${COLUMNS.map(([title, width]) => padStart(title, width)).join('')}`));
  for (const one of outcomes)
    print(
      `${paint.cyan(padEnd(one.preset, 12))}${COLUMNS.map(([, width, cell]) => padStart(cell(one), width)).join('')}`,
    );
  print();
  print('Money for the prompts');
  for (const line of barChart(
    outcomes.map((one) => ({ label: one.preset, value: promptMoney(one), told: money(promptMoney(one)) })),
    columns,
  ))
    print(line);
  const recalls = outcomes.map((one) => ({
    label: one.preset,
    value: recallOf(one),
    told: `${recallOf(one).toFixed(1)} %`,
  }));
  if (recalls.some(({ value }) => Number.isNaN(value))) return;
  print();
  print('Recall, the mean of the three');
  for (const line of barChart(recalls, columns)) print(line);
  const unfit = outcomes.filter((one) => one.unfit > 0);
  for (const one of unfit) print(paint.yellow(`${one.preset}: ${many(one.unfit, 'view')} did not fit`));
}

export const MEASURE = `Money is for prompts, at Anthropic's prices: what a request has in common with
the one before it is read from the cache, the rest is written; after a pause of
five minutes all of it is. Recall: of what the agent used in its next ${AHEAD_CALLS} calls
and had seen before, the share that the view held. No model is asked for
summaries: every preset has the digest.`;
