import {
  AHEAD_CALLS,
  averageRecall,
  countPromptTokens,
  NAME_KINDS,
  type Outcome,
  priceBill,
} from '@palimpsest/measure';
import { formatCount, formatNumber, padEnd, padStart } from '@palimpsest/terminal';
import { drawBarChart } from '../printing/bar-chart.ts';
import { formatMillions, formatMoney, formatPercent } from '../printing/figures.ts';
import type { Terminal } from '../terminal.ts';

const COLUMNS: readonly (readonly [title: string, width: number, cell: (one: Outcome) => string])[] = [
  ['tokens', 9, (one) => formatMillions(countPromptTokens(one))],
  ['money', 9, (one) => formatMoney(priceBill(one))],
  ['cached', 8, (one) => formatPercent(one.cacheRead, countPromptTokens(one))],
  ['compactions', 12, (one) => formatNumber(one.compactions)],
  ...NAME_KINDS.map((kind) => {
    const cell = ({ recall }: Outcome): string => formatPercent(recall[kind].held, recall[kind].needed);
    return [kind, kind === 'identifiers' ? 12 : kind === 'files' ? 8 : 9, cell] as const;
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
      `${(one.preset === 'recording' ? paint.bold : paint.cyan)(padEnd(one.preset, 12))}${COLUMNS.map(([, width, cell]) => padStart(cell(one), width)).join('')}`,
    );
  print();
  print('Money for prompts and summaries');
  for (const line of drawBarChart(
    outcomes.map((one) => ({ label: one.preset, value: priceBill(one), told: formatMoney(priceBill(one)) })),
    columns,
  ))
    print(line);
  const recalls = outcomes.map(({ preset, recall }) => {
    const value = 100 * averageRecall(recall);
    return { label: preset, value, told: `${value.toFixed(1)} %` };
  });
  if (recalls.every(({ value }) => !Number.isNaN(value))) {
    print();
    print('Recall, the mean of the three');
    for (const line of drawBarChart(recalls, columns)) print(line);
  }
  printReserves(terminal, outcomes);
}

/** What has to be known of a row before it is believed. */
function printReserves({ print, paint }: Terminal, outcomes: readonly Outcome[]): void {
  const unfit = outcomes.filter((one) => one.unfit > 0);
  for (const one of unfit) print(paint.yellow(`${one.preset}: ${formatCount(one.unfit, 'view')} did not fit`));
  for (const one of outcomes.filter(({ sealed }) => sealed > 0))
    print(
      paint.yellow(
        `${one.preset}: ${formatCount(one.sealed, 'view')} behind an encrypted summary cannot be read; not counted`,
      ),
    );
}

export const MEASURE = `Money is for prompts and summaries, at Anthropic's prices: what a request has in
common with the one before it is read from the cache, the rest is written; after
a pause of five minutes all of it is. Recall: of what the agent used in its next
${AHEAD_CALLS} calls and had seen before, the share that the view held. No model is asked
for summaries: every preset has the digest. "recording" are the views that its
own agent had, in the window of its own model, by the same prices; each of its
summaries is one more request behind the same prefix, and what was written.`;
