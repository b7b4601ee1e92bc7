import type { Receipt, Visit } from '@palimpsest/core';
import { clip, formatCount, formatNumber, padEnd, padStart, reasonLines, receiptLines } from '@palimpsest/terminal';
import type { Terminal } from '../terminal.ts';

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
  for (const line of [...receiptLines(receipt, paint, columns), ...reasonLines(receipt, paint, columns)]) print(line);
}
