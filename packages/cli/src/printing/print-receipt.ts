import type { Receipt, ReceiptLine, Visit } from '@palimpsest/core';
import type { Terminal } from '../terminal.ts';
import { clip, padEnd, padStart } from '../text-width.ts';
import { formatBytes, formatCount, formatNumber } from './figures.ts';

const LAYER = 22;

interface DeclaredWalk {
  /** The model call before which it was. */
  readonly call: number;
  readonly receipt: Receipt;
}

export function printDeclared({ print, paint, columns }: Terminal, declared: readonly DeclaredWalk[]): void {
  print(
    paint.dim(`${padStart('call', 6)}  ${padEnd('trigger', 9)}${padStart('before', 9)} →${padStart('after', 9)}  by`),
  );
  for (const { call, receipt } of declared) {
    const { trigger, tokensBefore, tokensAfter } = receipt;
    const row = `${padStart(formatNumber(call), 6)}  ${padEnd(trigger, 9)}${padStart(formatNumber(tokensBefore), 9)} →${padStart(formatNumber(tokensAfter), 9)}  `;
    print(row + clip(layersOf(receipt).join(', '), columns - 39));
  }
}

const layersOf = ({ lines }: Receipt): readonly string[] => [...new Set(lines.map((line) => line.layer))];

export function printWalk({ print, paint }: Terminal, walk: readonly Visit[]): void {
  for (const { layer, edits, tokensBefore, tokensAfter } of walk) {
    if (edits === 0) print(paint.dim(`  ${padEnd(layer, LAYER)} nothing to do`));
    else
      print(
        `  ${paint.cyan(padEnd(layer, LAYER))} ${padStart(formatCount(edits, 'edit'), 12)} ${padStart(formatNumber(tokensBefore), 9)} → ${paint.green(padStart(formatNumber(tokensAfter), 9))}`,
      );
  }
}

export function printReceipt({ print, paint, columns }: Terminal, receipt: Receipt): void {
  const { walk, tokensBefore, tokensAfter, reason, flagged, pinsBounded } = receipt;
  print(`  walk ${walk}: ${formatNumber(tokensBefore)} → ${paint.green(formatNumber(tokensAfter))} tokens`);
  for (const line of receipt.lines) {
    const what = `  ${padEnd(line.layer, LAYER)} ${hidden(line)}`;
    print(clip(what, columns));
    print(paint.dim(clip(`  ${' '.repeat(LAYER)} recall ${refs(line.refs)}`, columns)));
  }
  if (reason !== undefined) print(paint.dim(clip(`  ${reason}`, columns)));
  if (pinsBounded.length > 0) print(paint.yellow(`  pins that had to give way: ${pinsBounded.join(', ')}`));
  if (flagged.length > 0) print(paint.yellow(clip(`  not in the transcript: ${flagged.join(', ')}`, columns)));
}

function hidden({ kind, tool, count, bytes: size }: ReceiptLine): string {
  const noun = kind === 'messages' ? 'message' : kind === 'media' ? 'picture or file' : kind;
  const of = tool === undefined ? '' : ` of ${tool}`;
  return kind === 'attachment'
    ? `${formatCount(count, noun)} added`
    : `${formatCount(count, noun)}${of}, ${formatBytes(size)}`;
}

const refs = (all: readonly string[]): string =>
  all.length <= 8 ? all.join(' ') : `${all.slice(0, 6).join(' ')} … ${all.at(-1)} (${formatNumber(all.length)} in all)`;
