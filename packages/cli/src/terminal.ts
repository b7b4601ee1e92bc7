import { oneLine, type Paint, paintFor } from '@palimpsest/terminal';
import { systemFailure } from './files/system-failure.ts';

/** What a command may do to the person in front of it. */
export interface Terminal {
  print(line?: string): void;
  /** For what goes wrong: stderr. */
  complain(line: string): void;
  readonly paint: Paint;
  readonly columns: number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Narrower output is still read on wide screens; wider is not read on narrow ones. */
const MOST_COLUMNS = 100;
const USUAL_COLUMNS = 80;

/** This process's own. The output is minded from the first line on: the agent, which never prints here, minds its own. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const isTerminal = stdout.isTTY === true;
  let print: Terminal['print'] | undefined;
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  stderr.on('error', () => {});
  return {
    print(line) {
      print ??= printTo(stdout, stderr);
      print(line);
    },
    // File names and errors of others may hold what a terminal would obey.
    complain: (line) => void stderr.write(`${oneLine(line)}\n`),
    paint: paintFor(env, isTerminal),
    columns: isTerminal ? Math.min(stdout.columns ?? USUAL_COLUMNS, MOST_COLUMNS) : USUAL_COLUMNS,
    signal: interrupted.signal,
    environment: env,
  };
}

/** `… | head` closes the pipe. What is left to say has nobody to hear it; the work still ends in order. */
function printTo(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Terminal['print'] {
  let isOpen = true;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isOpen && error.code !== 'EPIPE') {
      process.exitCode = 1;
      stderr.write(`palimpsest: ${systemFailure(error, 'write', 'the output').message}\n`);
    }
    isOpen = false;
  });
  return (line = '') => {
    if (isOpen) stdout.write(`${line}\n`);
  };
}
