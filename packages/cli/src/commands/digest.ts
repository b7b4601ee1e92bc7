import { digest, estimateText, type Message } from '@palimpsest/core';
import { jsonText, stripColours } from '@palimpsest/terminal';
import { exactCounter } from '@palimpsest/tokens';
import { Command, Option } from 'commander';
import { jsonOption, parseAtLeast, sessionArgument } from '../options/shared-options.ts';
import { parseUntil, type Until, viewUntil } from '../recordings/view-until.ts';
import { findNamed, nameOf, readFound } from '../stores/open-session.ts';
import type { Terminal } from '../terminal.ts';

interface DigestFlags {
  readonly until?: Until;
  readonly maxChars?: number;
  readonly maxTokens?: number;
  readonly json?: true;
}

const USUAL_TOKENS = 4_000;
/** Less holds no digest. */
const LEAST_TOKENS = 16;
const LEAST_CHARS = 64;

export const digestCommand = (terminal: Terminal): Command =>
  new Command('digest')
    .summary('what it comes to, within a limit')
    .description('print what a recorded session comes to, made by code, within a limit; nothing else')
    .addArgument(sessionArgument())
    .option(
      '--until <place>',
      'boundary:K, what was in view before the K-th compaction; or N, at message N',
      parseUntil,
    )
    .option(
      '--max-tokens <number>',
      `the most tokens of all that is printed (default: ${USUAL_TOKENS})`,
      parseAtLeast(LEAST_TOKENS),
    )
    .addOption(
      new Option('--max-chars <number>', 'the most characters of all that is printed').argParser(
        parseAtLeast(LEAST_CHARS),
      ),
    )
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  palimpsest digest session.jsonl --until boundary:1 --max-chars 12000')
    .action((named: string | undefined, flags: DigestFlags) => run(terminal, named, flags));

interface Limit {
  readonly maxChars?: number;
  readonly maxTokens?: number;
}

async function run(terminal: Terminal, named: string | undefined, flags: DigestFlags): Promise<void> {
  const found = await findNamed(terminal, named);
  const file = nameOf(found);
  const recording = await readFound(terminal, found);
  terminal.signal.throwIfAborted();
  const until = flags.until ?? { type: 'end' };
  const view = viewUntil(recording, until);
  const { maxChars, maxTokens = maxChars === undefined ? USUAL_TOKENS : undefined } = flags;
  const limit: Limit = {
    ...(maxChars === undefined ? {} : { maxChars }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
  const made = digestWithin(view, limit);
  if (flags.json)
    terminal.print(jsonText({ file, format: recording.format, until, messages: view.length, limit, ...made }, 2));
  else if (made.text !== '') terminal.print(made.text.slice(0, -1));
  for (const note of recording.notes) terminal.complain(`palimpsest: ${file}: ${note}`);
}

/** Exact (o200k) and by the estimate that sessions use: a limit in tokens holds by both. */
function newStrictCounter(): (text: string) => number {
  const exact = exactCounter();
  return (text) => Math.max(exact.text(text), estimateText(text));
}

/** Ends in a line end, which counts. */
function digestWithin(view: readonly Message[], limit: Limit) {
  const countText = limit.maxTokens === undefined ? estimateText : newStrictCounter();
  const made = digest(view, { ...limit, countText });
  let text = stripColours(made.text);
  const isOver = (): boolean =>
    text.length > (limit.maxChars ?? Infinity) || countText(text) > (limit.maxTokens ?? Infinity);
  if (text !== '' && !text.endsWith('\n')) {
    text += '\n';
    while (isOver()) text = `${[...text.slice(0, -1)].slice(0, -1).join('')}\n`;
  }
  const sections = made.sections.map((section) => ({ ...section, text: stripColours(section.text) }));
  return { chars: text.length, tokens: text === '' ? 0 : countText(text), sections, text };
}
