import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import type { PresetName } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import { readWindow } from '@palimpsest/measure';
import { clip, formatBytes, formatCount, formatNumber, jsonText, oneLine } from '@palimpsest/terminal';
import { Command, Option } from 'commander';
import { checkTarget, writeResult } from '../files/write-result.ts';
import { configOption, readSettings } from '../options/settings.ts';
import { jsonOption, presetOption, windowOption } from '../options/shared-options.ts';
import { printDeclared, printReceipt, printWalk } from '../printing/print-receipt.ts';
import { newProgress } from '../printing/progress.ts';
import {
  type Compacted,
  type CompactOptions,
  compactRecording,
  countTranscriptTokens,
} from '../recordings/compact-recording.ts';
import { openRecording } from '../recordings/open-recording.ts';
import { renderResult, TARGETS, type TargetFormat } from '../recordings/render-result.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

interface CompactFlags {
  readonly preset?: PresetName;
  readonly config?: string;
  readonly window?: number;
  readonly to?: TargetFormat;
  readonly out?: string;
  readonly instructions?: string;
  readonly force?: true;
  readonly json?: true;
}

interface Written {
  readonly file: string;
  readonly format: TargetFormat;
  readonly bytes: number;
  readonly id?: string;
}

export const compactCommand = (terminal: Terminal): Command =>
  new Command('compact')
    .summary('make it smaller, so that an agent can go on from it')
    .description('compact a recorded session, say what was hidden, and write it so that an agent can go on from it')
    .argument('<file>', 'a session of another agent; it is never changed')
    .addOption(presetOption())
    .addOption(configOption())
    .addOption(windowOption())
    .addOption(
      new Option('--to <format>', 'what to write (default: as it was recorded, where that can be written)').choices([
        ...TARGETS,
      ]),
    )
    .option('--out <file>', 'where to write it (default: into this folder, as NAME.compacted.jsonl)')
    .option('--instructions <text>', 'what whoever goes on from it should heed')
    .option('--force', 'write over a file that is there; never over the session itself')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  palimpsest compact session.jsonl --window 64000 --to claude-code')
    .action((file: string, flags: CompactFlags) => run(terminal, file, flags));

async function run(terminal: Terminal, file: string, flags: CompactFlags): Promise<void> {
  const recording = await openRecording(file);
  const to = flags.to ?? (recording.format === 'claude-code' || recording.format === 'pi' ? recording.format : 'json');
  const target = {
    file: flags.out ?? join(terminal.cwd, nameResult(file, to)),
    input: file,
    force: flags.force === true,
  };
  await checkTarget(target);

  const progress = newProgress();
  const total = recording.messages.filter((message) => message.role === 'assistant').length;
  const { preset, session, window = readWindow(recording) } = (await readSettings(terminal, flags))(flags.preset);
  const options: CompactOptions = {
    preset,
    window,
    session,
    signal: terminal.signal,
    ...(flags.instructions === undefined ? {} : { instructions: flags.instructions }),
    onCall: (number) => progress.show(`Walking through call ${number} of ${total}…`),
  };
  const compacted = await compactRecording(recording, options).finally(progress.end);
  const { view, budget } = compacted;
  if (!view.fits)
    throw new UsageError(
      `no view of ${basename(file)} fits a window of ${formatNumber(budget.window)} tokens: the smallest has ${formatNumber(view.tokens)}. Nothing was written; state a larger --window.`,
    );
  const { text, id } = renderResult(recording, file, compacted, options, to);
  terminal.signal.throwIfAborted();
  await writeResult(target, text);
  const written: Written = {
    file: target.file,
    format: to,
    bytes: Buffer.byteLength(text),
    ...(id === undefined ? {} : { id }),
  };
  if (flags.json) terminal.print(jsonText(makeReport(file, recording, compacted, options, written), 2));
  else printCompacted(terminal, file, recording, compacted, options, written);
  for (const note of recording.notes) terminal.complain(`palimpsest: ${file}: ${note}`);
}

/** Whoever says nothing gets it where they stand: the recording's own folder may belong to another program. */
const nameResult = (file: string, to: TargetFormat): string =>
  `${basename(file, extname(file))}.compacted.${to === 'json' ? 'json' : 'jsonl'}`;

const makeReport = (
  file: string,
  { format, messages }: Recording,
  { view, budget, tokensBefore, calls, declared, walk, receipt, instructed }: Compacted,
  { preset, window, instructions }: CompactOptions,
  written: Written,
) => ({
  file,
  format,
  messages: messages.length,
  calls,
  preset,
  window,
  budget,
  tokensBefore,
  compactions: declared,
  walk,
  receipt: receipt ?? null,
  view: { messages: view.messages.length, tokens: view.tokens, fits: view.fits },
  ...(instructions === undefined ? {} : { instructions, instructed }),
  written,
});

const isFromElsewhere = ({ cwd }: Terminal, file: string, written: Written): boolean =>
  dirname(written.file) === cwd && dirname(resolve(cwd, file)) !== cwd;

function printCompacted(
  terminal: Terminal,
  file: string,
  recording: Recording,
  compacted: Compacted,
  { preset, instructions }: CompactOptions,
  written: Written,
): void {
  const { print, paint, columns } = terminal;
  print(paint.bold(clip(oneLine(basename(file)), columns)));
  const { view, budget, declared, walk, receipt, calls } = compacted;
  print(
    `${recording.format} · ${formatCount(recording.messages.length, 'message')}, ${formatCount(calls, 'model call')}, ${formatNumber(countTranscriptTokens(recording))} tokens`,
  );
  print(
    `${preset}, window ${formatNumber(budget.window)}: at ${formatNumber(budget.trigger)} the view shrinks to about ${formatNumber(budget.target)}.`,
  );
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
