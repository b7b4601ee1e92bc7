import { PassThrough } from 'node:stream';
import { runAgent } from '../../src/program/run-agent.ts';
import type { RunOptions } from '../../src/program/run-options.ts';
import { plainEnvironment, type Ran } from './launch.ts';

interface InsideOptions {
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** The agent without a process of its own: quicker, for all that does not depend on one. */
export async function runInside(
  options: RunOptions,
  { home, environment = {}, input = '' }: InsideOptions,
): Promise<Ran> {
  const stdin = new PassThrough();
  stdin.end(input);
  const heard = (): { stream: NodeJS.WriteStream; said(): string } => {
    const stream = new PassThrough();
    let said = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
    return { stream: stream as unknown as NodeJS.WriteStream, said: () => said };
  };
  const [out, err] = [heard(), heard()];
  const code = await runAgent(options, {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: out.stream,
    stderr: err.stream,
    environment: plainEnvironment({ PALIMPSEST_HOME: home, ...environment }),
    cwd: process.cwd(),
  });
  return { code, stdout: out.said(), stderr: err.said() };
}
