import { basename, dirname, relative, resolve } from 'node:path';
import type { Recording } from '@palimpsest/formats';
import { clip, formatBytes, formatCount, formatNumber, oneLine } from '@palimpsest/terminal';
import { type Compacted, type CompactOptions, countTranscriptTokens } from '../recordings/compact-recording.ts';
import type { TargetFormat } from '../recordings/render-result.ts';
import type { Terminal } from '../terminal.ts';
import { printDeclared, printReceipt, printWalk } from './print-receipt.ts';

/** The file that a compaction was written to. */
export interface Written {
  readonly file: string;
  readonly format: TargetFormat;
  readonly bytes: number;
  readonly id?: string;
}

const isFromElsewhere = ({ cwd }: Terminal, file: string, written: Written): boolean =>
  dirname(written.file) === cwd && dirname(resolve(cwd, file)) !== cwd;

/** Whose session it is, how large, and what it is led through. */
export function printHead(
  { print, paint, columns }: Terminal,
  file: string,
  recording: Recording,
  { calls, budget, preset }: Pick<Compacted, 'calls' | 'budget'> & Pick<CompactOptions, 'preset'>,
): void {
  print(paint.bold(clip(oneLine(basename(file)), columns)));
  print(
    `${recording.format} · ${formatCount(recording.messages.length, 'message')}, ${formatCount(calls, 'model call')}, ${formatNumber(countTranscriptTokens(recording))} tokens`,
  );
  print(
    `${preset}, window ${formatNumber(budget.window)}: at ${formatNumber(budget.trigger)} the view shrinks to about ${formatNumber(budget.target)}.`,
  );
}

/** What a compaction did, and where the result is. */
export function printCompacted(
  terminal: Terminal,
  file: string,
  recording: Recording,
  compacted: Compacted,
  { preset, instructions }: CompactOptions,
  written: Written,
): void {
  const { print, paint } = terminal;
  const { view, budget, declared, walk, receipt, calls } = compacted;
  printHead(terminal, file, recording, { calls, budget, preset });
  if (declared.length > 0) {
    print();
    print(paint.bold('Compactions on the way'));
    printDeclared(terminal, declared);
  }
  if (receipt !== undefined) {
    print();
    print(paint.bold('The last walk, layer by layer'));
    printWalk(terminal, walk);
    print();
    print(paint.bold('Its receipt: what it hid, and where that is'));
    printReceipt(terminal, receipt);
  }
  print();
  if (receipt === undefined) print('There was nothing to gain: the session is as short as it gets.');
  print(`The view: ${formatCount(view.messages.length, 'message')}, ${formatNumber(view.tokens)} tokens.`);
  if (instructions !== undefined)
    print(
      compacted.instructed
        ? 'No model wrote the summary, so the instructions stand behind it for the one that goes on.'
        : paint.yellow('The instructions found no place: a call is still open, or no summary was written.'),
    );
  // As one would type it here.
  const where = oneLine(dirname(written.file) === terminal.cwd ? relative(terminal.cwd, written.file) : written.file);
  print(`${paint.green('Written')} ${where} (${written.format}, ${formatBytes(written.bytes)}).`);
  if (isFromElsewhere(terminal, file, written))
    print(paint.dim('It is in this folder, not beside the recording; --out names another place.'));
  if (written.format === 'claude-code') {
    print(paint.dim(`To go on: put it into the project's folder as ${written.id}.jsonl`));
    print(paint.dim(`and say: claude --resume ${written.id}`));
  }
  if (written.format === 'pi') print(paint.dim(`To go on: pi --session ${where}`));
  if (written.format === 'json') print(paint.dim(`To look behind it: palimpsest recall ${where} WORDS`));
}
