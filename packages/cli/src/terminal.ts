import { oneLine, openWriter, type Paint, paintFor, type Writer } from '@palimpsest/terminal';
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
  /** The folder that the command was started in. */
  readonly cwd: string;
}

/** Narrower output is still read on wide screens; wider is not read on narrow ones. */
const MOST_COLUMNS = 100;
const USUAL_COLUMNS = 80;

/** This process's own. The output is minded from the first line on: the agent, which never prints here, minds its own. */
export function processTerminal(): Terminal {
  const { stdout, env } = process;
  const isTerminal = stdout.isTTY === true;
  let out: Writer | undefined;
  const errors = errorWriter();
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  return {
    print(line) {
      out ??= outputWriter(errors);
      out.print(line);
    },
    complain: (line) => errors.print(oneLine(line)),
    paint: paintFor(env, isTerminal),
    columns: isTerminal ? Math.min(stdout.columns ?? USUAL_COLUMNS, MOST_COLUMNS) : USUAL_COLUMNS,
    signal: interrupted.signal,
    environment: env,
    cwd: process.cwd(),
  };
}

/** `… | head` closes the pipe. What is left to say has nobody to hear it; the work still ends in order. */
const outputWriter = (errors: Writer): Writer =>
  openWriter(process.stdout, process.env, (error) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    errors.print(oneLine(`palimpsest: ${systemFailure(error, 'write', 'the output').message}`));
  });

let errors: Writer | undefined;

/** For what goes wrong, and for how far long work is. */
export function errorWriter(): Writer {
  errors ??= openWriter(process.stderr, process.env);
  return errors;
}

/** Calls back when all that was printed has gone out. */
export const flushOutput = (done: () => void): void => void process.stdout.write('', done);

/** For what draws on the terminal and hears its keys. */
export const processStreams = (): Pick<NodeJS.Process, 'stdin' | 'stdout'> => ({
  stdin: process.stdin,
  stdout: process.stdout,
});

/** Whether a person sits in front of this process. */
export const isAtTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;
