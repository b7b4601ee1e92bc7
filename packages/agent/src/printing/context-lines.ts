import type { Status } from '@palimpsest/core';
import { clip, formatMoney, formatNumber, oneLine, type Paint, padEnd, textWidth } from '@palimpsest/terminal';
import type { ContextUse, UseLine } from '../loop/context-use.ts';

const BAR_COLUMNS = 30;
const MOST_NAME = 40;

/** Where the tokens are, in their order, as bars against the whole window; below them what is free. */
export function contextLines(use: ContextUse, paint: Paint, columns: number): readonly string[] {
  const { tokens, window, trigger, percentLeft } = use;
  // Tools are named by whoever made them, and by models that make names up.
  const rows = use.lines.map((line) => ({ name: clip(oneLine(line.name), MOST_NAME), tokens: line.tokens }));
  const free = [
    { name: 'free until it compacts', tokens: Math.max(0, trigger - tokens) },
    { name: 'kept for the answer', tokens: Math.max(0, window - Math.max(trigger, tokens)) },
  ];
  const named = Math.max(...[...rows, ...free].map(({ name }) => textWidth(name)));
  const bar = Math.max(6, Math.min(BAR_COLUMNS, columns - named - 14));
  const cells = (count: number): number =>
    Math.min(bar, count === 0 ? 0 : Math.max(1, Math.round((count / window) * bar)));
  const row = (line: UseLine, colour: Paint['cyan'], mark: string): string =>
    `  ${padEnd(line.name, named)} ${formatNumber(line.tokens).padStart(7)} ${colour(mark.repeat(cells(line.tokens)))}`.trimEnd();
  const total = `Context: ${formatNumber(tokens)} tokens of a window of ${formatNumber(window)}; compacts at ${formatNumber(trigger)}; ${percentLeft}% left`;
  return [
    clip(total, columns),
    ...rows.map((line) => row(line, paint.cyan, '█')),
    ...free.map((line) => row(line, paint.dim, '░')),
  ];
}

const PAUSED: Readonly<Record<NonNullable<Status['paused']>, string>> = {
  off: 'compaction is off',
  reactive: 'compaction waits for a refusal',
  ineffective: 'compaction waits: little to gain',
  undone: 'compaction waits after /undo',
  overhead: 'system prompt and tools leave no room',
};

/** Percent left, in the colour of how near the end is. */
export function contextLeft(
  { percentLeft, aboveWarning, aboveError, atBlockingLimit, paused }: Status,
  paint: Paint,
): string {
  const isTooLarge = paused === 'undone' && atBlockingLimit;
  const why = isTooLarge ? 'too large: your next prompt compacts it' : paused && PAUSED[paused];
  const text = `${percentLeft}% context left${why === undefined ? '' : ` (${why})`}`;
  return aboveError ? paint.red(text) : aboveWarning ? paint.yellow(text) : paint.green(text);
}

/** The line at the bottom; what matters least goes first when it is narrow. */
export function statusLine(
  status: Status,
  { model, cost, mode }: { readonly model: string; readonly cost: number; readonly mode?: string },
  paint: Paint,
  columns: number,
): string {
  const left = contextLeft(status, paint);
  const sizes = `${status.measured ? '' : 'about '}${formatNumber(status.tokens)} tokens, compacts at ${formatNumber(status.budget.trigger)}`;
  const room = columns - textWidth(left) - 1;
  const money = cost > 0 ? [` · $${formatMoney(cost)}`] : [];
  const may = mode === undefined ? [] : [` · ${mode}`];
  const rest = [...may, ` · ${oneLine(model)}`, ...money, ` · ${sizes}`, ' · /help'];
  let shown = '';
  for (const piece of rest) if (textWidth(shown) + textWidth(piece) <= room) shown += piece;
  return ` ${left}${paint.dim(shown)}`;
}
