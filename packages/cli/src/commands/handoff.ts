import { resolve } from 'node:path';
import type { Handoff } from '@palimpsest/core';
import { formatNumber, jsonText, oneLine, stripColours } from '@palimpsest/terminal';
import { Command, Option } from 'commander';
import { checkTarget, writeResult } from '../files/write-result.ts';
import { quoteWord } from '../options/quote-word.ts';
import { jsonOption, parseAtLeast, parseTokens, sessionArgument } from '../options/shared-options.ts';
import { openRecallable } from '../stores/open-recallable.ts';
import { findNamed } from '../stores/open-session.ts';
import { dirOption } from '../stores/store-folder.ts';
import type { Terminal } from '../terminal.ts';

interface HandoffFlags {
  readonly window?: number;
  readonly maxTokens?: number;
  readonly out?: string;
  readonly force?: true;
  readonly dir?: string;
  readonly json?: true;
}

const USUAL_TOKENS = 4_000;
const LEAST_TOKENS = 256;
/** Of the window of whoever goes on: an opening message leaves the rest for the work. */
const WINDOW_SHARE = 0.05;
const MOST_TOKENS = 12_000;

export const handoffCommand = (terminal: Terminal): Command =>
  new Command('handoff')
    .summary('the opening message of a fresh session that goes on')
    .description(
      'write the opening message of a fresh session that is to take up the work: by code, without a model, the same each time',
    )
    .addArgument(sessionArgument())
    .addOption(
      new Option(
        '--window <tokens>',
        `the window of the model that goes on: the message takes 5 % of it, ${formatNumber(MOST_TOKENS)} tokens at most`,
      ).argParser(parseTokens),
    )
    .option(
      '--max-tokens <number>',
      `the most tokens of it (default: ${formatNumber(USUAL_TOKENS)})`,
      parseAtLeast(LEAST_TOKENS),
    )
    .option('--out <file>', 'write it there instead of printing it')
    .option('--force', 'with --out: write over a file that is there; never over the session itself')
    .addOption(dirOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  palimpsest handoff session.jsonl --window 200000 --out opening.md\n  palimpsest handoff session.jsonl | palimpsest agent -p -',
    )
    .action((named: string | undefined, flags: HandoffFlags) => run(terminal, named, flags));

async function run(terminal: Terminal, named: string | undefined, flags: HandoffFlags): Promise<void> {
  const found = await findNamed(terminal, named, flags.dir);
  const target =
    flags.out === undefined
      ? undefined
      : { file: flags.out, force: flags.force === true, ...(found.type === 'file' ? { input: found.file } : {}) };
  if (target !== undefined) await checkTarget(target);
  const session = await openRecallable(found, flags.dir, terminal.environment);
  // The next agent may stand in another folder.
  const where = oneLine(found.type === 'file' ? resolve(terminal.cwd, found.file) : found.id);
  const recall = `\`palimpsest recall ${quoteWord(where)} WORDS\`, or a reference that is named below in the place of WORDS.`;
  const made = session.handoff({ maxTokens: sizeFor(flags), from: where, recall });
  terminal.signal.throwIfAborted();
  const text = `${stripColours(made.text).trimEnd()}\n`;
  if (target !== undefined) await writeResult(target, text);
  if (flags.json)
    return terminal.print(
      jsonText({ session: where, ...made, ...(target === undefined ? {} : { file: target.file }) }, 2),
    );
  if (target === undefined) return terminal.print(text.slice(0, -1));
  printWritten(terminal, target.file, made);
}

const sizeFor = ({ window, maxTokens }: HandoffFlags): number =>
  maxTokens ??
  (window === undefined
    ? USUAL_TOKENS
    : Math.max(LEAST_TOKENS, Math.min(MOST_TOKENS, Math.floor(window * WINDOW_SHARE))));

function printWritten({ print, paint }: Terminal, file: string, { tokens, messages }: Handoff): void {
  print(
    `${paint.green('Written')} ${oneLine(file)}: ${formatNumber(messages)} messages in about ${formatNumber(tokens)} tokens.`,
  );
  print(paint.dim(`To go on from it: open a fresh session, and let ${oneLine(file)} be the first thing that is said.`));
}
