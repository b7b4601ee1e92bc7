import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ran } from '../run-palimpsest.ts';

export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The command as a process whose hand is held: to signal it, or to close its pipes. */
export function startPalimpsest(args: readonly string[]): { readonly child: ChildProcess; readonly ran: Promise<Ran> } {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
  return { child, ran };
}
