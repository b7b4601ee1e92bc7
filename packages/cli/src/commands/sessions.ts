import { homedir } from 'node:os';
import { formatBytes, formatCount, formatNumber, jsonText, oneLine, padStart } from '@palimpsest/terminal';
import { Command } from 'commander';
import { jsonOption } from '../options/shared-options.ts';
import { formatMinute } from '../printing/figures.ts';
import { findAgentSessions } from '../stores/agent-sessions.ts';
import { dirOption, openStore, storeFolder } from '../stores/store-folder.ts';
import type { Terminal } from '../terminal.ts';

interface SessionsFlags {
  readonly dir?: string;
  readonly all?: true;
  readonly json?: true;
}

/** How many of each are shown without `--all`. */
const SHOWN = 5;

export const sessionsCommand = (terminal: Terminal): Command =>
  new Command('sessions')
    .summary('list ours and those of agents found here')
    .description('list our own sessions, and those of agents on this machine')
    .addOption(dirOption())
    .option('--all', `show all, not only the newest ${SHOWN} of each`)
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  palimpsest sessions --all')
    .action((flags: SessionsFlags) => run(terminal, flags));

async function run(terminal: Terminal, flags: SessionsFlags): Promise<void> {
  const { print, paint, environment } = terminal;
  const folder = storeFolder(environment, flags.dir);
  const ours = await openStore(folder).list();
  const agents = await findAgentSessions(environment);
  if (flags.json) return print(jsonText({ folder, ours, agents }, 2));

  print(`${paint.bold('Palimpsest')} · ${formatCount(ours.length, 'session')} in ${oneLine(folder)}`);
  printRows(
    terminal,
    ours.map(({ id, ...info }) => ({ ...info, name: id })),
    flags,
  );
  for (const { agent, root, sessions, readBy } of agents) {
    print();
    print(`${paint.bold(agent)} · ${formatCount(sessions.length, 'session')} in ${oneLine(shortenHome(root))}`);
    printRows(
      terminal,
      sessions.map(({ file, ...info }) => ({ ...info, name: shortenHome(file) })),
      flags,
    );
    if (readBy !== undefined) print(paint.dim(`  to read one: ${readBy}`));
  }
  if (agents.length === 0) {
    print();
    print('No sessions of other agents were found on this machine.');
  }
}

const shortenHome = (path: string): string => (path.startsWith(homedir()) ? `~${path.slice(homedir().length)}` : path);

interface Row {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

function printRows({ print, paint }: Terminal, rows: readonly Row[], { all }: SessionsFlags): void {
  const shown = all ? rows : rows.slice(0, SHOWN);
  for (const row of shown)
    print(`  ${paint.dim(formatMinute(row.modifiedAt))} ${padStart(formatBytes(row.bytes), 9)}  ${oneLine(row.name)}`);
  if (shown.length < rows.length)
    print(paint.dim(`  … and ${formatNumber(rows.length - shown.length)} more: --all shows them`));
}
