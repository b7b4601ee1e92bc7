import { oneLine } from '@palimpsest/terminal';
import { explain } from '../agent-error.ts';

/** What an agent's process has around it. Tests bring their own. */
export interface World {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** This process's own streams, environment and folder: what `runAgent` takes by default. */
export const processWorld = (): World => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  cwd: process.cwd(),
});

/** The name that stands before what goes wrong. */
export const PROGRAM = 'palimpsest';

/** What went wrong, on one line of stderr. */
export const complaintOf = (error: unknown): string => oneLine(`${PROGRAM}: ${explain(error)}`);

const MOST_COLUMNS = 120;
const USUAL_COLUMNS = 80;

/** What is asked of a writer. Spelt out, since the public types of this package name none of a private one. */
interface Measured {
  readonly isTerminal: boolean;
  columns(): number | undefined;
}

/** How wide lines are that go to a pipe as well as to a terminal. */
export const columnsFor = ({ isTerminal, columns }: Measured): number =>
  isTerminal ? Math.min(columns() ?? USUAL_COLUMNS, MOST_COLUMNS) : USUAL_COLUMNS;
