import type { Receipt, ReceiptLine, Visit } from '@palimpsest/core';
import type { Declared } from '../recordings/compact-recording.ts';
import type { Terminal } from '../terminal.ts';
import { clip, padEnd, padStart } from '../text-width.ts';
import { bytes, many, whole } from './figures.ts';

const LAYER = 22;

export function printDeclared({ print, paint, columns }: Terminal, declared: readonly Declared[]): void {
  print(
    paint.dim(`${padStart('call', 6)}  ${padEnd('trigger', 9)}${padStart('before', 9)} →${padStart('after', 9)}  by`),
  );
  for (const { call, receipt } of declared) {
    const { trigger, tokensBefore, tokensAfter } = receipt;
    const row = `${padStart(whole(call), 6)}  ${padEnd(trigger, 9)}${padStart(whole(tokensBefore), 9)} →${padStart(whole(tokensAfter), 9)}  `;
    print(row + clip(layersOf(receipt).join(', '), columns - 39));
  }
}

const layersOf = ({ lines }: Receipt): readonly string[] => [...new Set(lines.map((line) => line.layer))];

export function printWalk({ print, paint }: Terminal, walk: readonly Visit[]): void {
  for (const { layer, edits, tokensBefore, tokensAfter } of walk) {
    if (edits === 0) print(paint.dim(`  ${padEnd(layer, LAYER)} nothing to do`));
    else
      print(
        `  ${paint.cyan(padEnd(layer, LAYER))} ${padStart(many(edits, 'edit'), 12)} ${padStart(whole(tokensBefore), 9)} → ${paint.green(padStart(whole(tokensAfter), 9))}`,
      );
  }
}

export function printReceipt({ print, paint, columns }: Terminal, receipt: Receipt): void {
  const { walk, tokensBefore, tokensAfter, reason, flagged, pinsBounded } = receipt;
  print(`  walk ${walk}: ${whole(tokensBefore)} → ${paint.green(whole(tokensAfter))} tokens`);
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
  return kind === 'attachment' ? `${many(count, noun)} added` : `${many(count, noun)}${of}, ${bytes(size)}`;
}

const refs = (all: readonly string[]): string =>
  all.length <= 8 ? all.join(' ') : `${all.slice(0, 6).join(' ')} … ${all.at(-1)} (${whole(all.length)} in all)`;
