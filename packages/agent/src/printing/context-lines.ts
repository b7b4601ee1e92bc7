import type { Status } from '@palimpsest/core';
import { clip, formatMoney, formatNumber, oneLine, type Paint, padEnd, textWidth } from '@palimpsest/terminal';
import type { ContextUse } from '../loop/context-use.ts';

const BAR_COLUMNS = 30;
const MOST_NAME = 40;

/** Where the tokens are, as bars. */
export function contextLines(use: ContextUse, paint: Paint, columns: number): readonly string[] {
  // Tools are named by whoever made them, and by models that make names up.
  const rows = use.lines.map(({ name, tokens }) => ({ name: clip(oneLine(name), MOST_NAME), tokens }));
  const named = Math.max(...rows.map(({ name }) => textWidth(name)));
  const bar = Math.max(6, Math.min(BAR_COLUMNS, columns - named - 14));
  const most = Math.max(1, ...use.lines.map(({ tokens }) => tokens));
  const lines = rows.map(({ name, tokens }) => {
    const filled = Math.round((tokens / most) * bar);
    return `  ${padEnd(name, named)} ${formatNumber(tokens).padStart(7)} ${paint.cyan('█'.repeat(filled))}${paint.dim('░'.repeat(bar - filled))}`;
  });
  const total = `Context: ${formatNumber(use.tokens)} tokens of a window of ${formatNumber(use.window)}; compacts at ${formatNumber(use.trigger)}; ${use.percentLeft}% left`;
  return [clip(total, columns), ...lines];
}

const PAUSED: Readonly<Record<NonNullable<Status['paused']>, string>> = {
  off: 'compaction is off',
  reactive: 'compaction waits for a refusal',
  ineffective: 'compaction waits: little to gain',
  undone: 'compaction waits after /undo',
  overhead: 'system prompt and tools leave no room',
};

/** Percent left, in the colour of how near the end is. */
export function contextLeft({ percentLeft, aboveWarning, aboveError, paused }: Status, paint: Paint): string {
  const text = `${percentLeft}% context left${paused === undefined ? '' : ` (${PAUSED[paused]})`}`;
  return aboveError ? paint.red(text) : aboveWarning ? paint.yellow(text) : paint.green(text);
}

/** The line at the bottom; what matters least goes first when it is narrow. */
export function statusLine(
  status: Status,
  { model, cost }: { readonly model: string; readonly cost: number },
  paint: Paint,
  columns: number,
): string {
  const left = contextLeft(status, paint);
  const sizes = `${status.measured ? '' : 'about '}${formatNumber(status.tokens)} tokens, compacts at ${formatNumber(status.budget.trigger)}`;
  const room = columns - textWidth(left) - 1;
  const money = cost > 0 ? [` · $${formatMoney(cost)}`] : [];
  const rest = [` · ${oneLine(model)}`, ...money, ` · ${sizes}`, ' · /help'];
  let shown = '';
  for (const piece of rest) if (textWidth(shown) + textWidth(piece) <= room) shown += piece;
  return ` ${left}${paint.dim(shown)}`;
}
