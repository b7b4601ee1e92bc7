import {
  AHEAD_CALLS,
  averageRecall,
  countPromptTokens,
  type Outcome,
  type Share,
  STAND_IN_TOKENS,
} from '@palimpsest/measure';
import { formatCount, formatNumber, padEnd, padStart } from '@palimpsest/terminal';
import { PRICES_DATE } from '@palimpsest/wire';
import { drawBarChart } from '../printing/bar-chart.ts';
import { formatDollars, formatMillions, formatPercent } from '../printing/figures.ts';
import { describeAlike, groupAlike } from '../printing/group-alike.ts';
import type { Terminal } from '../terminal.ts';

/** What a course came to, over one session or several. */
export interface PricedOutcome extends Outcome {
  /** In dollars; undefined where the price of a session's model is not known. */
  readonly money: number | undefined;
}

type Column = readonly [title: string, width: number, cell: (one: PricedOutcome) => string];

const formatPrice = (money: number | undefined): string => (money === undefined ? 'unknown' : formatDollars(money));

const COST: readonly Column[] = [
  ['tokens', 10, (one) => formatMillions(countPromptTokens(one))],
  ['money', 10, (one) => formatPrice(one.money)],
  ['cached', 9, (one) => formatPercent(one.cacheRead, countPromptTokens(one))],
  ['compactions', 13, (one) => formatNumber(one.compactions)],
  ['summaries', 11, (one) => formatNumber(one.written)],
];

const SHARES: readonly (readonly [title: string, width: number, share: (one: Outcome) => Share])[] = [
  ['names', 10, ({ recall }) => recall.identifiers],
  ['files', 10, ({ recall }) => recall.files],
  ['commands', 10, ({ recall }) => recall.commands],
  ['edit lines', 12, ({ editLines }) => editLines],
  ['requests', 10, ({ rules }) => rules],
  ['words', 10, ({ words }) => words],
];

const HELD: readonly Column[] = SHARES.map(([title, width, share]) => [
  title,
  width,
  (one) => formatPercent(share(one).held, share(one).needed),
]);

function printTable(
  { print, paint }: Terminal,
  first: string,
  columns: readonly Column[],
  outcomes: readonly PricedOutcome[],
) {
  print(paint.dim(`${padEnd(first, 12)}${columns.map(([title, width]) => padStart(title, width)).join('')}`));
  for (const one of outcomes) {
    const name = padEnd(one.preset, 12);
    const cells = columns.map(([, width, cell]) => padStart(cell(one), width)).join('');
    print(`${one.preset === 'recording' ? paint.bold(name) : paint.cyan(name)}${cells}`);
  }
}

export function printOutcomes(terminal: Terminal, all: readonly PricedOutcome[], detail: string): void {
  const { print, paint, columns } = terminal;
  // What the recording itself did stays a row of its own.
  const groups = groupAlike(all.filter(({ preset }) => preset !== 'recording'));
  const outcomes = [...groups.map(({ row }) => row), ...all.filter(({ preset }) => preset === 'recording')];
  print(detail);
  for (const told of groups.flatMap(describeAlike)) print(paint.dim(told));
  print();
  printTable(terminal, 'preset', COST, outcomes);
  print();
  printTable(terminal, 'held of', HELD, outcomes);
  printNeeded(terminal, outcomes);
  print();
  if (outcomes.every(({ money }) => money !== undefined)) {
    print('Money for prompts and summaries, in US dollars');
    const bars = outcomes.map(({ preset, money }) => ({ label: preset, value: money ?? 0, told: formatPrice(money) }));
    for (const line of drawBarChart(bars, columns)) print(line);
  } else print(`Money is unknown: no list price of ${PRICES_DATE} is known for a model here.`);
  const recalls = outcomes.map(({ preset, recall }) => {
    const value = 100 * averageRecall(recall);
    return { label: preset, value, told: `${value.toFixed(1)} %` };
  });
  if (recalls.every(({ value }) => !Number.isNaN(value))) {
    print();
    print('Recall, the mean of names, files and commands');
    for (const line of drawBarChart(recalls, columns)) print(line);
  }
  printReserves(terminal, outcomes);
}

/** How many things the shares are of; a row of which some cannot be read has fewer. */
function printNeeded({ print, paint }: Terminal, outcomes: readonly Outcome[]): void {
  const cells = SHARES.map(([, width, share]) =>
    padStart(formatNumber(Math.max(0, ...outcomes.map((one) => share(one).needed))), width),
  );
  print(paint.dim(`${padEnd('needed', 12)}${cells.join('')}`));
}

/** What has to be known of a row before it is believed. */
function printReserves({ print, paint }: Terminal, outcomes: readonly Outcome[]): void {
  const unfit = outcomes.filter((one) => one.unfit > 0);
  for (const one of unfit) print(paint.yellow(`${one.preset}: ${formatCount(one.unfit, 'view')} did not fit`));
  for (const one of outcomes.filter(({ sealed }) => sealed > 0))
    print(
      paint.yellow(
        `${one.preset}: ${formatCount(one.sealed, 'view')} not counted, behind a summary that cannot be read`,
      ),
    );
}

export const MEASURE = `Money is for prompts and summaries, at the list price of the recording's model,
in US dollars: what a request has in common with the one before it is read from
the cache, the rest is written; after a pause of five minutes all of it is. Held
is the share in view of what the agent used in its next ${AHEAD_CALLS} calls and had seen
before (names, files, commands), of the lines that its edits replace, and of
what the user had said until then; requests are sentences that look like one.
No model is asked for summaries: every preset has the digest,
unless --summaries puts a stand-in there, which writes the newest ${formatNumber(STAND_IN_TOKENS)} tokens
of what it is shown and is billed for what it reads and writes. "recording" are
the views that its own agent had, in the window of its own model, by the same
prices; each of its summaries is one more request behind the same prefix, and
what was written. A name in view is not yet knowledge.`;
