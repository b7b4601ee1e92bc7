import { basename, extname, join } from 'node:path';
import type { PresetName } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import { readWindow } from '@palimpsest/measure';
import { formatCount, formatNumber, jsonText, previewLines } from '@palimpsest/terminal';
import { Command, Option } from 'commander';
import { checkTarget, writeResult } from '../files/write-result.ts';
import { configOption, readSettings } from '../options/settings.ts';
import { jsonOption, presetOption, sessionArgument, windowOption } from '../options/shared-options.ts';
import { printCompacted, printHead, type Written } from '../printing/print-compacted.ts';
import { newProgress, type Progress } from '../printing/progress.ts';
import {
  type Compacted,
  type CompactOptions,
  compactRecording,
  previewRecording,
} from '../recordings/compact-recording.ts';
import { renderResult, TARGETS, type TargetFormat } from '../recordings/render-result.ts';
import { findNamed, nameOf, readFound } from '../stores/open-session.ts';
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
  readonly dry?: true;
  readonly all?: true;
  readonly json?: true;
}

export const compactCommand = (terminal: Terminal): Command =>
  new Command('compact')
    .summary('make it smaller, so that an agent can go on from it')
    .description('compact a recorded session, say what was hidden, and write it so that an agent can go on from it')
    .addArgument(sessionArgument())
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
    .option('--dry', 'only look: what would go and what it saves; nothing is written')
    .option('--all', 'with --dry: every single thing that would go, not only the largest')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  palimpsest compact --dry session.jsonl --window 64000\n  palimpsest compact session.jsonl --window 64000 --to claude-code',
    )
    .action((named: string | undefined, flags: CompactFlags) => run(terminal, named, flags));

async function run(terminal: Terminal, named: string | undefined, flags: CompactFlags): Promise<void> {
  if (flags.all === true && flags.dry !== true) throw new UsageError('--all goes with --dry.');
  const found = await findNamed(terminal, named);
  const file = nameOf(found);
  const recording = await readFound(terminal, found);
  await (flags.dry === true ? preview : compact)(terminal, file, recording, flags);
  for (const note of recording.notes) terminal.complain(`palimpsest: ${file}: ${note}`);
}

/** What is written: as it was recorded, where that can be written. */
const chooseTarget = ({ format }: Recording, { to }: CompactFlags): TargetFormat =>
  to ?? (format === 'claude-code' || format === 'pi' ? format : 'json');

async function readOptions(
  terminal: Terminal,
  recording: Recording,
  flags: CompactFlags,
  progress: Progress,
): Promise<CompactOptions> {
  const total = recording.messages.filter((message) => message.role === 'assistant').length;
  const { preset, session, window = readWindow(recording) } = (await readSettings(terminal, flags))(flags.preset);
  return {
    preset,
    window,
    session,
    // Our own file holds what its references name; those of other agents have no place for it.
    canRecall: chooseTarget(recording, flags) === 'json',
    signal: terminal.signal,
    ...(flags.instructions === undefined ? {} : { instructions: flags.instructions }),
    onCall: (number) => progress.show(`Walking through call ${number} of ${total}…`),
  };
}

/** Only looks. */
async function preview(terminal: Terminal, file: string, recording: Recording, flags: CompactFlags): Promise<void> {
  const progress = newProgress();
  const options = await readOptions(terminal, recording, flags, progress);
  const previewed = await previewRecording(recording, options).finally(progress.end);
  const { declared, calls, budget, preview: would } = previewed;
  if (flags.json) {
    const { messages: _, plan: _plan, ...shown } = would;
    const about = {
      file,
      format: recording.format,
      messages: recording.messages.length,
      calls,
      preset: options.preset,
    };
    terminal.print(jsonText({ ...about, window: options.window, budget, compactions: declared, preview: shown }, 2));
    return;
  }
  const { print, paint, columns } = terminal;
  printHead(terminal, file, recording, { calls, budget, preset: options.preset });
  if (declared.length > 0)
    print(`On the way it is compacted ${formatCount(declared.length, 'time')}; this is one more, at its end.`);
  print();
  for (const line of previewLines(would, { paint, columns, all: flags.all === true })) print(line);
  print();
  print(
    paint.dim(
      `Nothing was written. To do it: the same without --dry${flags.all === true ? ' and --all' : '; --all lists everything that goes'}.`,
    ),
  );
}

async function compact(terminal: Terminal, file: string, recording: Recording, flags: CompactFlags): Promise<void> {
  const to = chooseTarget(recording, flags);
  const target = {
    file: flags.out ?? join(terminal.cwd, nameResult(file, to)),
    input: file,
    force: flags.force === true,
  };
  await checkTarget(target);

  const progress = newProgress();
  const options = await readOptions(terminal, recording, flags, progress);
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
