import type { Receipt, ReceiptLine } from '@palimpsest/core';
import { bytes, clip, count, type Paint, plural } from './text.ts';

const WHY: Readonly<Record<Receipt['trigger'], string>> = {
  auto: 'automatic',
  manual: 'as you asked',
  overflow: 'the provider refused the request as too long',
  tool: 'the model asked',
  idle: 'after a pause',
  switch: 'for another model',
};

/** What nobody had seen yet is bounded as it comes: that breaks no cache and is no compaction. */
export const receiptTitle = ({ trigger, tokensBefore, tokensAfter, declared }: Receipt): string =>
  `${declared ? `Compacted (${WHY[trigger]})` : 'Bounded as it came'}: ${count(tokensBefore)} → ${count(tokensAfter)} tokens`;

/** What a walk hid, layer by layer, and where it is. */
export function receiptLines(receipt: Receipt, paint: Paint, columns: number): readonly string[] {
  const mark = paint.magenta('◆');
  const lines = receipt.lines.map((line) => paint.dim(`  ${clip(lineText(line), columns - 2)}`));
  const flagged =
    receipt.flagged.length === 0 ? [] : [paint.yellow(`  not verified: ${receipt.flagged.slice(0, 5).join(', ')}`)];
  return [`${mark} ${receiptTitle(receipt)}`, ...lines, ...flagged];
}

const WHAT: Readonly<Record<string, string>> = {
  result: 'result',
  messages: 'message',
  attachment: 'attachment',
  text: 'text',
  call: 'call',
  reasoning: 'thought',
  media: 'picture',
};

function lineText({ layer, kind, tool, count: hidden, bytes: size, refs, stashed }: ReceiptLine): string {
  const what = plural(hidden, WHAT[kind] ?? kind);
  const of = tool === undefined ? '' : ` of ${tool}`;
  const range = refs.length === 1 ? refs[0]! : `${refs[0]} … ${refs.at(-1)}`;
  const saved = stashed.length === 0 ? '' : ' · saved';
  if (kind === 'messages' && hidden === 0)
    return `${layer.padEnd(20)} brought the summary up to date · recall ${range}`;
  const verb = kind === 'attachment' ? 'added' : 'hid';
  return `${layer.padEnd(20)} ${verb} ${what}${of}${size === 0 ? '' : ` (${bytes(size)})`} · recall ${range}${saved}`;
}
