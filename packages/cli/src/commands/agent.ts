import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';

/** A program of its own: its words, its input and output, its exit code. */
export const agentCommand = (onEnd: (exitCode: number) => void): Command =>
  new Command('agent')
    .summary('the terminal agent; needs no key')
    .description('the terminal agent; without a key it runs on an embedded offline model')
    .argument('[words...]', "the agent's own options; palimpsest agent --help lists them")
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: readonly string[]) => onEnd(await runAgent(agentMain(), words)));

function agentMain(): string {
  try {
    return fileURLToPath(import.meta.resolve('@palimpsest/agent/main'));
  } catch (error) {
    throw new Error('the agent is a package of its own: npm install @palimpsest/agent', { cause: error });
  }
}

/** Ctrl-C and a closed window reach every process of a terminal; a signal handed on would come twice there. */
const isAtTerminal = (): boolean => {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
};

function runAgent(main: string, words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [main, ...words], { stdio: 'inherit' });
  const alone = isAtTerminal();
  const signals = (['SIGINT', 'SIGHUP', 'SIGTERM'] as const).map((name) => {
    const onSignal = (): void => void (alone && name !== 'SIGTERM' ? undefined : child.kill(name));
    process.on(name, onSignal);
    return { name, onSignal };
  });
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
  }).finally(() => {
    for (const { name, onSignal } of signals) process.off(name, onSignal);
  });
}
