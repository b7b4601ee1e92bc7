import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The command in one file, as scripts/bundle-programs.mjs makes it before the tests. */
export const PALIMPSEST = fileURLToPath(new URL('../.test-build/main.mjs', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The folder that it is started in; the tests' own by default. */
  readonly cwd?: string;
  /** Called once, at the first words the command prints. */
  readonly onFirstWords?: (child: ChildProcess) => void;
}

/** The command as a person starts it: a process of its own, its output into a pipe. */
export function runPalimpsest(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { NO_COLOR: _, FORCE_COLOR: __, ...plain } = process.env;
  const child = spawn(process.execPath, [PALIMPSEST, ...args], {
    env: { ...plain, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.once('data', () => options.onFirstWords?.(child));
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

/** A folder that is gone after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
