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

export interface Output {
  print(line: string): void;
  write(text: string): void;
  readonly columns: number;
}

const MOST_COLUMNS = 120;
const USUAL_COLUMNS = 80;

/** `… | head` closes the pipe, a disk has no room: then nothing more is written, and `lost` is told once. */
export function outputTo(stream: NodeJS.WriteStream, lost: (error: NodeJS.ErrnoException) => void): Output {
  let isOpen = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isOpen) lost(error);
    isOpen = false;
  });
  const write = (text: string): void => {
    if (isOpen) stream.write(text);
  };
  return {
    write,
    print: (line) => write(`${line}\n`),
    columns: stream.isTTY === true ? Math.min(stream.columns ?? USUAL_COLUMNS, MOST_COLUMNS) : USUAL_COLUMNS,
  };
}
