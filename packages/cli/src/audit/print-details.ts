import type { Problem } from '@palimpsest/core';
import { type AuditReport, type CacheBreak, type CompactionAudit, tellUnread } from '@palimpsest/inspector';
import type { Kept, NeedKind, Repeat } from '@palimpsest/measure';
import { clip, formatCount, formatNumber, oneLine, padEnd, padStart, wrap } from '@palimpsest/terminal';
import { formatDollars, formatPause, formatPercent } from '../printing/figures.ts';
import { describeAlike, groupAlike } from '../printing/group-alike.ts';
import type { Terminal } from '../terminal.ts';

type PrintedKind = Exclude<NeedKind, 'fromMemory' | 'acted'>;
/** What is printed, with its name, its title in the table and the width of its column there; not all have one. */
const PRINTED: readonly (readonly [kind: PrintedKind, label: string, title: string, width: number])[] = [
  ['identifiers', 'names', 'names', 8],
  ['relations', 'relations', 'relations', 10],
  ['files', 'files', 'files', 8],
  ['commands', 'commands', 'commands', 9],
  ['editLines', 'lines to edit', '', 0],
  ['rules', "user's requests", 'requests', 9],
  ['words', "the user's words", 'words', 8],
];
const TABLED = PRINTED.filter(([, , , width]) => width > 0);
const LABEL = 18;
/** How many of a list are shown. */
const SHOWN = 3;

/** Every compaction with examples of what it lost; what is invalid; where the cache broke. */
export function printDetails(terminal: Terminal, report: AuditReport): void {
  for (const compaction of report.compactions) printCompaction(terminal, compaction);
  printProblems(terminal, report.problems, 'Invalid structures in the transcript');
  printBreaks(terminal, report.cacheBreaks);
}

function printCompaction(terminal: Terminal, one: CompactionAudit): void {
  const { print, paint, columns } = terminal;
  const title = one.boundary === undefined ? 'Clearing' : `Compaction ${one.boundary}`;
  const how = one.trigger === undefined ? one.type : oneLine(`${one.type}, ${one.trigger}`);
  print();
  print(
    `${paint.bold(title)} (${how}) after message ${formatNumber(one.at)}: ${formatNumber(one.tokensBefore)} → ${formatNumber(one.tokens)} tokens`,
  );
  const gone = [
    ...(one.messagesHidden > 0 ? [`${formatCount(one.messagesHidden, 'message')} hidden`] : []),
    ...(one.resultsCleared > 0 ? [`${formatCount(one.resultsCleared, 'result')} blanked`] : []),
    ...(one.summaryChars === undefined ? [] : [`a summary of ${formatNumber(one.summaryChars)} characters`]),
    `${formatCount(one.callsAfter, 'model call')} after it`,
  ];
  for (const line of wrap(gone.join(', '), columns - 2)) print(paint.dim(`  ${line}`));
  const isNeeded = PRINTED.some(([kind]) => one.losses[kind].needed > 0);
  if (one.callsAfter > 0 && isNeeded) {
    if (one.unread !== undefined)
      for (const line of wrap(`cannot be judged: ${tellUnread(one.unread)}`, columns - 2))
        print(paint.yellow(`  ${line}`));
    else {
      const head = `${padEnd('lost', LABEL)}${padStart('needed', 8)}${padStart('lost', 8)}${padStart('share', 9)}`;
      print(paint.dim(`  ${head}`));
      for (const [kind, label] of PRINTED) printLoss(terminal, one, kind, label);
    }
    printRepeats(terminal, 'read again', one.repeats.reads);
    printRepeats(terminal, 'run again', one.repeats.commands);
    printOurs(terminal, one);
  }
  for (const { code, message, what } of one.problems.slice(0, SHOWN))
    print(paint.red(clip(`  ${oneLine(`left invalid: ${code} in ${message}: ${what}`)}`, columns)));
}

function printLoss({ print, paint, columns }: Terminal, { losses }: Kept, kind: PrintedKind, label: string): void {
  const { needed, lost } = losses[kind];
  if (needed === 0) return;
  const row = `  ${padEnd(label, LABEL)}${padStart(formatNumber(needed), 8)}${padStart(formatNumber(lost.length), 8)}${padStart(formatPercent(lost.length, needed), 9)}`;
  print(lost.length === 0 ? row : paint.yellow(row));
  const isProse = !(kind === 'identifiers' || kind === 'files');
  const shown = isProse ? lost.slice(0, SHOWN) : lost.length === 0 ? [] : [lost.slice(0, 20).join('  ')];
  for (const text of shown) print(paint.dim(clip(`    ${oneLine(text)}`, columns)));
}

function printRepeats({ print, paint, columns }: Terminal, label: string, repeats: readonly Repeat[]): void {
  if (repeats.length === 0) return;
  const tokens = repeats.reduce((sum, one) => sum + one.tokens, 0);
  print(
    `  ${padEnd(label, LABEL)}${padStart(formatNumber(repeats.length), 8)}, ${formatNumber(tokens)} tokens of results`,
  );
  for (const { what, times, tokens: size } of repeats.slice(0, SHOWN)) {
    const tail = ` (${times > 1 ? `${formatNumber(times)}×, ` : ''}${formatNumber(size)} tokens)`;
    print(paint.dim(`    ${clip(oneLine(what), columns - 4 - tail.length)}${tail}`));
  }
}

const NAME = 18;

function printOurs({ print, paint }: Terminal, one: CompactionAudit): void {
  const heading = TABLED.map(([, , title, width]) => padStart(title, width)).join('');
  print(paint.dim(`  ${padEnd('kept, of its needs', NAME)}${padStart('tokens', 8)}${heading}`));
  const row = (name: string, { tokens, losses }: Kept): string => {
    const cells = TABLED.map(([kind, , , width]) => {
      const { needed, lost } = losses[kind];
      return padStart(formatPercent(needed - lost.length, needed), width);
    });
    return `  ${padEnd(name, NAME)}${padStart(formatNumber(tokens), 8)}${cells.join('')}`;
  };
  if (!one.sealed) print(row('the recording', one));
  const groups = groupAlike(one.ours);
  const [only, ...others] = groups;
  if (only !== undefined && only.same.length > 0 && others.length === 0) {
    print(paint.cyan(row('ours, any preset', only.row)));
    return;
  }
  for (const { row: ours } of groups) print(paint.cyan(row(`ours: ${ours.preset}`, ours)));
  for (const told of groups.flatMap(describeAlike)) print(paint.dim(`  ${told}`));
}

function printProblems({ print, paint, columns }: Terminal, problems: readonly Problem[], title: string): void {
  if (problems.length === 0) return;
  print();
  print(`${paint.bold(title)}: ${formatNumber(problems.length)}`);
  for (const { code, message, what, done } of problems.slice(0, SHOWN))
    print(clip(`  ${oneLine(`${code} in ${message}: ${what} (mended: ${done})`)}`, columns));
  if (problems.length > SHOWN) print(paint.dim(`  … and ${formatNumber(problems.length - SHOWN)} more`));
}

function printBreaks({ print, paint }: Terminal, breaks: readonly CacheBreak[]): void {
  if (breaks.length === 0) return;
  const known = breaks.flatMap(({ money }) => money ?? []);
  const cost =
    known.length < breaks.length ? '' : `, which cost about ${formatDollars(known.reduce((sum, one) => sum + one, 0))}`;
  print();
  print(`${paint.bold('Cache breaks that no compaction explains')}: ${formatNumber(breaks.length)}${cost}`);
  for (const { at, readBefore, read, cause, pauseMs } of [...breaks]
    .sort((a, b) => (b.money ?? 0) - (a.money ?? 0))
    .slice(0, 5)) {
    const why =
      cause === 'pause' && pauseMs !== undefined
        ? `a pause of ${formatPause(pauseMs)}`
        : 'the request changed early on';
    print(
      `  message ${padStart(formatNumber(at + 1), 6)}: ${padStart(formatNumber(readBefore), 8)} → ${padStart(formatNumber(read), 8)} tokens read; ${why}`,
    );
  }
  if (breaks.length > 5) print(paint.dim(`  … and ${formatNumber(breaks.length - 5)} more`));
}
