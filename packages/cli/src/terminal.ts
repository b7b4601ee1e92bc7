import pc from 'picocolors';
import { systemFailure } from './files/system-failure.ts';
import { oneLine } from './text-width.ts';

/** What a command may do to the person in front of it. */
export interface Terminal {
  print(line?: string): void;
  /** For what goes wrong: stderr. */
  complain(line: string): void;
  readonly paint: ReturnType<typeof pc.createColors>;
  readonly columns: number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Narrower output is still read on wide screens; wider is not read on narrow ones. */
const MOST_COLUMNS = 100;
const USUAL_COLUMNS = 80;

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  // `… | head` closes the pipe. What is left to say has nobody to hear it; the work still ends in order.
  let open = true;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (open && error.code !== 'EPIPE') {
      process.exitCode = 1;
      stderr.write(`palimpsest: ${systemFailure(error, 'write', 'the output').message}\n`);
    }
    open = false;
  });
  stderr.on('error', () => {});
  return {
    print(line = '') {
      if (open) stdout.write(`${line}\n`);
    },
    // File names and errors of others may hold what a terminal would obey.
    complain: (line) => void stderr.write(`${oneLine(line)}\n`),
    paint: pc.createColors(wantsColour(env, stdout.isTTY === true)),
    columns: stdout.isTTY === true ? Math.min(stdout.columns ?? USUAL_COLUMNS, MOST_COLUMNS) : USUAL_COLUMNS,
    signal: interrupted.signal,
    environment: env,
  };
}

/** Not picocolors' own answer, which paints into files where CI is set. */
export function wantsColour(env: Terminal['environment'], isTerminal: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0') return true;
  return isTerminal && env.TERM !== 'dumb';
}
