import type { Preview, PreviewItem } from '@palimpsest/core';
import { formatCount, formatMoney, formatNumber } from './figures.ts';
import type { Paint } from './paint.ts';
import { oneLine } from './printable.ts';
import { nounOf } from './receipt-lines.ts';
import { clip, padEnd, padStart, textWidth, wrap } from './text-width.ts';

/** How much of a preview is shown, and where. */
export interface PreviewLook {
  readonly paint: Paint;
  readonly columns: number;
  /** Every single thing that would go, not only the largest. */
  readonly all?: boolean;
}

/** What a layer leaves of what it takes, for somebody who has never heard of it. */
const WORDS: Readonly<Record<string, string>> = {
  'cap-results': 'head and tail of each stay',
  'stash-large-results': 'the beginning of each stays',
  'supersede-reads': 'a newer one is in view',
  'snip-middle': 'what you typed there stays',
  'clear-idle-results': 'from before the pause; a line stays',
  'clear-old-results': 'a line of each stays',
  'drop-old-reasoning': 'of earlier turns',
  'strip-old-media': 'a marker of each stays',
  'strip-refused-media': 'their names stay',
  'collapse-spans': 'a few lines of them stay',
  'summarize-history': 'a summary of them stays',
  'drop-oldest-rounds': 'what you typed there stays',
  'tell-recall': 'tells the model how to read the rest',
};

const LAYER_COLUMNS = 20;
const NUMBER_COLUMNS = 9;
const SHOWN_ITEMS = 6;

/** What a compaction would do, on one screen: by layer, the largest things, what it saves. */
export function previewLines(preview: Preview, look: PreviewLook): readonly string[] {
  const { tokensBefore, tokensAfter, receipt, items } = preview;
  const { paint, columns } = look;
  if (receipt === undefined) return ['There would be nothing to gain: the view is as short as it gets.'];
  const share = Math.round((100 * (tokensBefore - tokensAfter)) / Math.max(1, tokensBefore));
  const title = `A compaction now: ${formatNumber(tokensBefore)} → ${formatNumber(tokensAfter)} tokens (${share} % less)`;
  return [
    `${paint.magenta('◇')} ${paint.bold(clip(title, columns - 2))}`,
    ...layerLines(preview, look),
    '',
    ...itemLines(items, look),
    '',
    ...wrap(tellMoney(preview), columns),
    ...tellAsks(preview).flatMap((line) => wrap(line, columns).map(paint.yellow)),
  ];
}

const layerLines = ({ layers, items }: Preview, { paint, columns }: PreviewLook): readonly string[] =>
  layers.map(({ layer, tokensBefore, tokensAfter }) => {
    const gone = items.filter((item) => item.layer === layer && item.kind !== 'attachment');
    const tokens = padStart(formatChange(tokensAfter - tokensBefore), NUMBER_COLUMNS);
    const told = clip(`  ${padEnd(oneLine(layer), LAYER_COLUMNS)} ${tokens}  ${countItems(gone)}`, columns);
    const room = columns - textWidth(told);
    return WORDS[layer] === undefined || room < 20
      ? told
      : `${told}${paint.dim(clip(`${gone.length === 0 ? '' : ' · '}${WORDS[layer]}`, room))}`;
  });

const formatChange = (tokens: number): string =>
  tokens > 0 ? `+${formatNumber(tokens)}` : formatNumber(tokens).replace('-', '−');

/** `27 results, 2 messages`. */
function countItems(items: readonly PreviewItem[]): string {
  const counts = new Map<string, number>();
  for (const { kind, count } of items) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return [...counts].map(([kind, count]) => formatCount(count, oneLine(nounOf(kind)))).join(', ');
}

function itemLines(items: readonly PreviewItem[], { paint, columns, all = false }: PreviewLook): readonly string[] {
  const goes = items.filter(({ kind }) => kind !== 'attachment');
  const shown = all ? goes : goes.toSorted((a, b) => b.tokens - a.tokens).slice(0, SHOWN_ITEMS);
  const more = goes.length - shown.length;
  const rows = shown.map((item) => {
    const tokens = padStart(formatNumber(item.tokens), NUMBER_COLUMNS);
    const row = `  ${padEnd(oneLine(item.ref), 6)}${tokens}  ${oneLine(nameItem(item))}`;
    return clip(row, columns);
  });
  return [
    paint.dim(`  ${padEnd('recall', 6)}${padStart('tokens', NUMBER_COLUMNS)}  what${all ? '' : ', the largest first'}`),
    ...rows,
    ...(more > 0 ? [paint.dim(`  … and ${formatCount(more, 'more', 'more')}`)] : []),
  ];
}

function nameItem({ kind, tool, targets, count, from, to }: PreviewItem): string {
  if (kind === 'messages')
    return count === 0 ? 'the summary, brought up to date' : `${formatCount(count, 'message')}: ${from} to ${to}`;
  const noun = nounOf(kind);
  const of = tool === undefined ? '' : ` of ${tool}`;
  return `${noun}${of}${targets.length === 0 ? '' : ` ${targets.join(' ')}`} (${from})`;
}

function tellMoney({ money, tokensBefore, tokensAfter }: Preview): string {
  const { savedPerCall, costNow, callsToPayBack } = money;
  const saves = `Saves ${formatNumber(tokensBefore - tokensAfter)} tokens a call, $${formatMoney(savedPerCall)} while they are cached`;
  if (costNow === 0) return `${saves}; costs nothing, since the cache has gone cold.`;
  const pays = Number.isFinite(callsToPayBack)
    ? `paid back after ${formatCount(callsToPayBack, 'call')}`
    : 'never paid back';
  return `${saves}; costs $${formatMoney(costNow)} once, to cache anew what stands behind it: ${pays}.`;
}

function tellAsks({ asks }: Preview): readonly string[] {
  const lines: string[] = [];
  if (asks.includes('summary'))
    lines.push('A model will be asked for the summary; its words and size are not known before.');
  if (asks.includes('hooks')) lines.push('Hooks will be heard; what they say is not known before.');
  if (asks.includes('stash'))
    lines.push('Large outputs will be saved first; what then stays of them is not known before.');
  return lines;
}
