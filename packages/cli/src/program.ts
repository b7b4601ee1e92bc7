import { createRequire } from 'node:module';
import { CompactionError } from '@palimpsest/core';
import { Command, CommanderError } from 'commander';
import { auditCommand } from './commands/audit.ts';
import { compactCommand } from './commands/compact.ts';
import { digestCommand } from './commands/digest.ts';
import { doctorCommand } from './commands/doctor.ts';
import { recallCommand } from './commands/recall.ts';
import { replayCommand } from './commands/replay.ts';
import { sampleCommand } from './commands/sample.ts';
import { sessionsCommand } from './commands/sessions.ts';
import { undoCommand } from './commands/undo.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const FAILED = 1;
const MISUSED = 2;
/** As shells say it: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

/** Runs the command and answers with the exit code. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const root = program(terminal);
    refuseUnknown(root, words[0]);
    await root.parseAsync([...words], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
    if (terminal.signal.aborted) return INTERRUPTED;
    if (!(error instanceof Error)) throw error;
    terminal.complain(`palimpsest: ${error.message}`);
    return isMisuse(error) ? MISUSED : FAILED;
  }
}

/** With a default command, commander takes a misspelt name for an argument of that command. */
function refuseUnknown(root: Command, word: string | undefined): void {
  const known = ['help', ...root.commands.map((command) => command.name())];
  if (word === undefined || word.startsWith('-') || known.includes(word)) return;
  throw new UsageError(`there is no command ${JSON.stringify(word)}; palimpsest --help lists them.`);
}

const isMisuse = (error: Error): boolean =>
  error instanceof UsageError ||
  (error instanceof CompactionError && ['bad-option', 'window-unknown'].includes(error.code));

const { version } = createRequire(import.meta.url)('../package.json') as { readonly version: string };

/** Every command is one file under `commands/`. */
function program(terminal: Terminal): Command {
  const root = new Command('palimpsest')
    .description("Keeps an agent's conversation inside its context window without losing anything.")
    .version(version)
    .addHelpText('after', '\nWithout a command, the sample is played.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.complain(text.trimEnd()),
    });
  root.addCommand(sampleCommand(terminal), { isDefault: true });
  root.addCommand(compactCommand(terminal));
  root.addCommand(digestCommand(terminal));
  root.addCommand(auditCommand(terminal));
  root.addCommand(replayCommand(terminal));
  root.addCommand(recallCommand(terminal));
  root.addCommand(undoCommand(terminal));
  root.addCommand(sessionsCommand(terminal));
  root.addCommand(doctorCommand(terminal));
  for (const command of root.commands) command.copyInheritedSettings(root);
  return root;
}
