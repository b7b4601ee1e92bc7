import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { PALIMPSEST, type Ran } from '../run-palimpsest.ts';

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ran: Promise<Ran>;
  /** All that was printed, as soon as these words are among it. */
  said(words: string): Promise<string>;
}

/** The command as a process whose hand is held: to signal it, to talk to it, or to close its pipes. */
export function startPalimpsest(args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(process.execPath, [PALIMPSEST, ...args], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ran = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
  const said = async (words: string): Promise<string> => {
    while (!out.includes(words)) {
      const ended = await Promise.race([once(child.stdout, 'data'), ran]);
      if (!Array.isArray(ended)) throw new Error(`it ended without "${words}": ${JSON.stringify(ended)}`);
    }
    return out;
  };
  return { child, ran, said };
}
