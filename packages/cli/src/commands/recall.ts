import type { Found, Session } from '@palimpsest/core';
import { clip, formatCount, jsonText, oneLine, padEnd, stripColours } from '@palimpsest/terminal';
import { Command } from 'commander';
import { jsonOption, parseTime, parseWholeNumber, SESSION_WORDS } from '../options/shared-options.ts';
import { formatMinute } from '../printing/figures.ts';
import { findHidingRef, openRecallable } from '../stores/open-recallable.ts';
import { findNamed, nameOf } from '../stores/open-session.ts';
import { dirOption } from '../stores/store-folder.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

interface RecallFlags {
  readonly dir?: string;
  readonly limit: number;
  readonly page: number;
  readonly file?: string;
  readonly tool?: string;
  readonly since?: number;
  readonly until?: number;
  readonly json?: true;
}

/** Of a question that nothing answers so much is said again. */
const QUERY_COLUMNS = 200;
const REFERENCE = /^e\d+(?:\s*(?:to|-|–|\.\.)\s*e\d+)?$/;

export const recallCommand = (terminal: Terminal): Command =>
  new Command('recall')
    .summary('search it, or read what was hidden')
    .description('search a session for words, or read by reference what was hidden')
    .argument('[session]', SESSION_WORDS)
    .argument('[query...]', "words of what is wanted, best matches first; or a reference (e12), or a message's id")
    .option('--limit <number>', 'the most matches, best first', parseWholeNumber, 10)
    .option('--page <number>', 'the matches after those of the pages before', parseWholeNumber, 1)
    .option('--file <path>', 'only what was done with this file; the end of its path is enough')
    .option('--tool <name>', 'only calls of this tool, and what it answered')
    .option('--since <time>', 'only what was said then or later', parseTime)
    .option('--until <time>', 'only what was said before then', parseTime)
    .addOption(dirOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  palimpsest recall 20261115-0312 migrations folder\n  palimpsest recall 20261115-0312 e12',
    )
    .action((named: string | undefined, words: readonly string[], flags: RecallFlags) =>
      run(terminal, named, words, flags),
    );

async function run(
  terminal: Terminal,
  first: string | undefined,
  rest: readonly string[],
  flags: RecallFlags,
): Promise<void> {
  // A single word is looked for in the newest session.
  const isOnlyQuery = rest.length === 0 && flags.file === undefined && flags.tool === undefined;
  const [named, words] = isOnlyQuery ? [undefined, first === undefined ? [] : [first]] : [first, rest];
  const query = words.join(' ').trim();
  if (query === '' && flags.file === undefined && flags.tool === undefined)
    throw new UsageError('say what to look for: words, a reference (e12), or the id of a message.');
  const found = await findNamed(terminal, named, flags.dir);
  const session = await openRecallable(found, flags.dir, terminal.environment);
  if (REFERENCE.test(query) || session.transcript().some((message) => message.id === query))
    return printRead(terminal, session, query, flags);
  const { dir: _, json, page, limit, ...only } = flags;
  const matches = session.recall.search(query, { ...only, limit, offset: (page - 1) * limit });
  if (matches.length > 0 || json) printMatches(terminal, session, query, matches, flags);
  if (matches.length === 0)
    throw new Error(
      `nothing${page > 1 ? ' more' : ''} in ${nameOf(found)} is about: ${clip(query, QUERY_COLUMNS)}${tellOnly(flags)}`,
    );
}

/** What the search was confined to: what is looked for may stand elsewhere. */
function tellOnly({ file, tool, since, until }: RecallFlags): string {
  const only = Object.entries({ file, tool, since, until }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`],
  );
  return only.length === 0 ? '' : `; without ${only.join(' and ')} there may be something`;
}

function printRead({ print }: Terminal, session: Session, ref: string, { json }: RecallFlags): void {
  const { messages, text } = session.recall.read(ref);
  if (json) print(jsonText({ ref, messages, text }, 2));
  else print(stripColours(text));
}

function printMatches(
  { print, paint, columns }: Terminal,
  session: Session,
  query: string,
  matches: readonly Found[],
  { json, limit, page }: RecallFlags,
): void {
  const refOf = findHidingRef(session);
  const found = matches.map(({ message, line, text, tool, file }) => {
    const { id, role, origin, at } = message;
    const ref = refOf(message);
    return {
      message: id,
      role,
      origin,
      ...(at === undefined ? {} : { at }),
      ...(ref === undefined ? {} : { ref }),
      ...(tool === undefined ? {} : { tool }),
      ...(file === undefined ? {} : { file }),
      line,
      text,
    };
  });
  if (json) {
    print(jsonText({ query, matches: found }, 2));
    return;
  }
  for (const { message, role, at, ref, tool, file, line } of found) {
    const when = at === undefined ? '' : ` ${formatMinute(at)}`;
    const where = ref === undefined ? '' : ` · hidden, recall ${oneLine(ref)}`;
    const about = [tool, file].map((name) => (name === undefined ? '' : ` ${oneLine(name)}`)).join('');
    print(`${paint.cyan(oneLine(message))} ${paint.dim(`${padEnd(oneLine(role), 9)}${when}${about}${where}`)}`);
    print(`  ${clip(oneLine(stripColours(line)), columns - 2)}`);
  }
  if (found.length === limit)
    print(
      paint.dim(
        `The best ${formatCount(limit, 'match', 'matches')}${page > 1 ? ` of page ${page}` : ''}; --page ${page + 1} shows more.`,
      ),
    );
}
