import type { Receipt, ReceiptLine } from '@palimpsest/core';
import { formatBytes, formatCount, formatMoney, formatNumber } from './figures.ts';
import type { Paint } from './paint.ts';
import { oneLine } from './printable.ts';
import { clip, padEnd, textWidth, wrap } from './text-width.ts';

const WHY: Readonly<Record<Receipt['trigger'], string>> = {
  auto: 'automatic',
  manual: 'as you asked',
  overflow: 'the provider refused the request as too long',
  tool: 'the model asked',
  idle: 'after a pause',
  switch: 'for another model',
};

const NOUNS: Readonly<Record<string, string>> = { messages: 'message', reasoning: 'thought', media: 'picture' };

/** What one of the things is called that a receipt counts. */
export const nounOf = (kind: string): string => NOUNS[kind] ?? kind;

/** What a walk hid, layer by layer, and where it is. */
export function receiptLines(receipt: Receipt, paint: Paint, columns: number): readonly string[] {
  const { flagged, pinsBounded } = receipt;
  const lines = receipt.lines.flatMap((line) => wrapLine(lineText(line), columns).map(paint.dim));
  const warn = (what: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [paint.yellow(clip(`  ${what}: ${oneLine(names.join(', '))}`, columns))];
  return [
    `${paint.magenta('◆')} ${titleOf(receipt)}`,
    ...lines,
    ...summaryLines(receipt, paint, columns),
    ...(receipt.goesOn === true
      ? [paint.dim(clip('  the model is told to go on, or to ask where it cannot', columns))]
      : []),
    ...warn('pins that had to give way', pinsBounded),
    ...warn('not verified', flagged),
  ];
}

/** What a model took for the summary, also where nothing came of it. */
function summaryLines({ summary }: Receipt, paint: Paint, columns: number): readonly string[] {
  const { calls = 0, usage = {}, cost, failure } = summary ?? {};
  if (calls === 0) return [];
  const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = usage;
  const money = cost === undefined ? '' : `, $${formatMoney(cost)}`;
  const what = failure === undefined ? 'the summary took' : 'a summary that came to nothing took';
  const told = `${what} ${formatCount(calls, 'call')}, ${formatNumber(input + cacheRead + cacheWrite)} tokens in, ${formatNumber(output)} out${money}`;
  return [paint.dim(clip(`  ${told}`, columns))];
}

/** Why it was done when it was done, where the receipt says so. */
export const reasonLines = ({ reason }: Receipt, paint: Paint, columns: number): readonly string[] =>
  reason === undefined
    ? []
    : wrap(`why now: ${oneLine(reason)}`, columns - 2).map((line, i) => paint.dim(`${i === 0 ? '  ' : '    '}${line}`));

/** The user has put words of their own in the place of a summary's. */
export const isSummaryEdit = ({ lines }: Receipt): boolean =>
  lines.length > 0 && lines.every(({ layer }) => layer === 'edit-summary');

/** What nobody had seen yet is bounded as it comes: that breaks no cache and is no compaction. */
const titleOf = (receipt: Receipt): string => {
  const { trigger, tokensBefore, tokensAfter, declared } = receipt;
  const what = isSummaryEdit(receipt)
    ? 'Summary edited'
    : declared
      ? `Compacted (${WHY[trigger]})`
      : 'Bounded as it came';
  return `${what}: ${formatNumber(tokensBefore)} → ${formatNumber(tokensAfter)} tokens`;
};

const LAYER_COLUMNS = 20;

function lineText({ layer, kind, tool, count, bytes, refs, stashed }: ReceiptLine): string {
  const name = padEnd(oneLine(layer), LAYER_COLUMNS);
  if (kind === 'messages' && count === 0) return `${name} brought the summary up to date · recall ${shortenRefs(refs)}`;
  const verb = kind === 'attachment' ? 'added' : 'hid';
  const of = tool === undefined ? '' : ` of ${oneLine(tool)}`;
  const size = bytes === 0 ? '' : ` (${formatBytes(bytes)})`;
  const saved = stashed.length === 0 ? '' : ' · saved';
  return `${name} ${verb} ${formatCount(count, oneLine(nounOf(kind)))}${of}${size} · recall ${shortenRefs(refs)}${saved}`;
}

/** A reference is never cut: what is too long goes on below the layer's name, or below its first letters where it is narrow. */
function wrapLine(line: string, columns: number): readonly string[] {
  if (textWidth(line) + 2 <= columns) return [`  ${line}`];
  const indent = columns > 3 * LAYER_COLUMNS ? LAYER_COLUMNS + 3 : 4;
  const kept = line.replace(/recall .*$/, (refs) => refs.replaceAll(' ', '\u00a0'));
  return wrap(kept, columns - indent).map(
    (row, i) => `${' '.repeat(i === 0 ? 2 : indent)}${row.replaceAll('\u00a0', ' ')}`,
  );
}

const MOST_REFS = 4;

const shortenRefs = (refs: readonly string[]): string =>
  oneLine(refs.length <= MOST_REFS ? refs.join(' ') : `${refs[0]} … ${refs.at(-1)}`);
