import { createRequire } from 'node:module';
import { CompactionError } from '@palimpsest/core';
import { Command, CommanderError } from 'commander';
import { agentCommand } from './commands/agent.ts';
import { auditCommand } from './commands/audit.ts';
import { compactCommand } from './commands/compact.ts';
import { costCommand } from './commands/cost.ts';
import { digestCommand } from './commands/digest.ts';
import { doctorCommand } from './commands/doctor.ts';
import { gatewayCommand } from './commands/gateway.ts';
import { handoffCommand } from './commands/handoff.ts';
import { inspectCommand } from './commands/inspect.ts';
import { mcpCommand } from './commands/mcp.ts';
import { recallCommand } from './commands/recall.ts';
import { replayCommand } from './commands/replay.ts';
import { runCommand } from './commands/run.ts';
import { sampleCommand } from './commands/sample.ts';
import { sessionsCommand } from './commands/sessions.ts';
import { simCommand } from './commands/sim.ts';
import { undoCommand } from './commands/undo.ts';
import { usageCommand } from './commands/usage.ts';
import { findClosest } from './options/find-closest.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const FAILED = 1;
const MISUSED = 2;
/** As shells say it: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

/** Runs the command and answers with the exit code. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  try {
    const root = newProgram(terminal, (code) => {
      exitCode = code;
    });
    refuseUnknown(root, words);
    await root.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      terminal.complain(explainMisuse(error, words[0]));
      return MISUSED;
    }
    if (terminal.signal.aborted) return INTERRUPTED;
    if (!(error instanceof Error)) throw error;
    terminal.complain(`palimpsest: ${error.message}`);
    return isMisuse(error) ? MISUSED : FAILED;
  }
}

/** With a default command, commander takes a misspelt name for an argument of that command. */
function refuseUnknown(root: Command, [first, second]: readonly string[]): void {
  const names = root.commands.map((command) => command.name());
  const [word, known] = first === 'help' ? [second, names] : [first, ['help', ...names]];
  if (word === undefined || word.startsWith('-') || known.includes(word)) return;
  const meant = findClosest(word, known);
  throw new UsageError(
    `there is no command ${JSON.stringify(word)}${meant === undefined ? '' : `; did you mean ${meant}?`}; palimpsest --help lists them.`,
  );
}

/** Commander puts what was perhaps meant on a second line. */
function explainMisuse({ code, message }: CommanderError, command: string | undefined): string {
  const told = `palimpsest: ${message.replace(/^error: /, '').replaceAll('\n', ' ')}`;
  return code === 'commander.missingArgument' ? `${told}; palimpsest ${command} --help has an example` : told;
}

const isMisuse = (error: Error): boolean =>
  error instanceof UsageError ||
  (error instanceof CompactionError && ['bad-option', 'window-unknown'].includes(error.code));

const { version } = createRequire(import.meta.url)('../package.json') as { readonly version: string };

const argumentsOf = (command: Command): string =>
  command.registeredArguments.map((one) => (one.required ? one.name().toUpperCase() : '[…]')).join(' ');

/** Every command is one file under `commands/`. */
function newProgram(terminal: Terminal, onAgentEnd: (exitCode: number) => void): Command {
  const root = new Command('palimpsest')
    .description("Keeps an agent's conversation inside its context window without losing anything.")
    .version(version)
    .addHelpText('after', '\nWithout a command, the sample is played. Each command has --help, with an example.')
    .helpCommand('help [command]', 'the same as COMMAND --help')
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${argumentsOf(command)}`.trimEnd() })
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      // Told at the end, on one line.
      writeErr: () => {},
    });
  root.commandsGroup('See it work:');
  root.addCommand(agentCommand(terminal, onAgentEnd));
  root.addCommand(sampleCommand(terminal), { isDefault: true });
  root.addCommand(simCommand(terminal));
  root.commandsGroup('Between an agent and its provider:');
  root.addCommand(gatewayCommand(terminal));
  root.addCommand(runCommand(terminal, onAgentEnd));
  root.addCommand(usageCommand(terminal));
  root.commandsGroup('A session that an agent recorded (it is only read):');
  root.addCommand(inspectCommand(terminal));
  root.addCommand(digestCommand(terminal));
  root.addCommand(compactCommand(terminal));
  root.addCommand(handoffCommand(terminal));
  root.addCommand(auditCommand(terminal));
  root.addCommand(replayCommand(terminal));
  root.addCommand(recallCommand(terminal));
  root.addCommand(mcpCommand(terminal, version));
  root.commandsGroup('On this machine:');
  root.addCommand(sessionsCommand(terminal));
  root.addCommand(costCommand(terminal));
  root.addCommand(undoCommand(terminal));
  root.addCommand(doctorCommand(terminal));
  for (const command of root.commands) command.copyInheritedSettings(root);
  return root;
}
