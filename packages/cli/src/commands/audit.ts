import { basename } from 'node:path';
import { type AuditReport, auditRecording, joinReports, judgeAudit, writeMarkdown } from '@palimpsest/inspector';
import { formatCount, jsonText, stripControls } from '@palimpsest/terminal';
import { Command } from 'commander';
import { printDetails } from '../audit/print-details.ts';
import { type Audited, printVerdict, printWorst } from '../audit/print-verdict.ts';
import { jsonOption, SESSIONS_WORDS } from '../options/shared-options.ts';
import { newProgress } from '../printing/progress.ts';
import { expandSessions } from '../stores/expand-sessions.ts';
import { nameOf, readFound } from '../stores/open-session.ts';
import type { Terminal } from '../terminal.ts';

interface AuditFlags {
  readonly all?: true;
  readonly md?: true;
  readonly json?: true;
}

export const auditCommand = (terminal: Terminal): Command =>
  new Command('audit')
    .summary('why did my agent forget?')
    .description('why did my agent forget? what each recorded compaction lost, and what ours would have kept')
    .argument('[session...]', SESSIONS_WORDS)
    .option('--all', 'every compaction, with examples of what it lost')
    .option('--md', 'as Markdown, for an issue or a chat')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Lost is what the agent used after a compaction and had in view before it, but no
longer had in the summary or the messages kept; of the user's words, all that
were said before. Requests are sentences that look like one ("always", "never"):
a guess, which the verdict does not count. Ours are given the same view and as
many tokens.

Examples:
  palimpsest audit ~/.claude/projects/my-project/0c1d….jsonl
  palimpsest audit --md`,
    )
    .action((files: readonly string[], flags: AuditFlags) => run(terminal, files, flags));

async function run(terminal: Terminal, named: readonly string[], flags: AuditFlags): Promise<void> {
  const { sessions, inFolders } = await expandSessions(terminal, named);
  const audited: Audited[] = [];
  const progress = newProgress();
  for (const [i, found] of sessions.entries()) {
    const told = sessions.length === 1 ? '' : `${i + 1} of ${sessions.length}: `;
    const recording = await readFound(terminal, found).catch((error: Error) => {
      // In a folder other things lie about too.
      if (!inFolders.has(found)) throw error;
      return undefined;
    });
    if (recording === undefined) continue;
    const report = await auditRecording(recording, {
      signal: terminal.signal,
      onStep: (step) => progress.show(`${told}${step}`),
    }).finally(progress.end);
    audited.push({ file: nameOf(found), report });
  }
  if (audited.length === 0) throw new Error('there was no session to audit');
  printReport(terminal, audited, flags);
  for (const { file, report } of audited)
    for (const note of report.notes) terminal.complain(`palimpsest: ${file}: ${note}`);
}

function printReport(terminal: Terminal, audited: readonly Audited[], flags: AuditFlags): void {
  const [first, ...others] = audited;
  if (first === undefined) return;
  const report = others.length === 0 ? first.report : joinReports(audited.map((one) => one.report));
  const name = others.length === 0 ? basename(first.file) : formatCount(audited.length, 'session');
  if (flags.json) terminal.print(jsonText(toData(audited, report), 2));
  else if (flags.md) terminal.print(stripControls(writeMarkdown(name, report).trimEnd()));
  else {
    printVerdict(terminal, name, report);
    printWorst(
      terminal,
      audited.map(({ file, report: own }) => ({ file: basename(file), report: own })),
    );
    if (flags.all) for (const one of audited) printDetails(terminal, one.report);
    else if (report.compactions.length > 0)
      terminal.print(terminal.paint.dim('\nMore: --all, or --md for an issue, or palimpsest inspect for a page.'));
  }
}

const toData = (audited: readonly Audited[], report: AuditReport): object => {
  const { sentence, because } = judgeAudit(report);
  const verdict = { sentence, because };
  const [only, ...others] = audited;
  return others.length === 0
    ? { file: only?.file, verdict, ...report }
    : { verdict, sessions: audited.map(({ file, report: own }) => ({ file, ...own })) };
};
