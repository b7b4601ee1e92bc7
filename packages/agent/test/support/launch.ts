import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { newShopFolder } from './shop-folder.ts';

const MAIN = fileURLToPath(new URL('../../../cli/.test-build/main.mjs', import.meta.url));

/** The real program in one file, as scripts/bundle-programs.mjs makes it before the tests. */
export const programWords = (words: readonly string[]): readonly string[] => [MAIN, 'agent', ...words];

/** No keys, no colours asked for, no CI: a person's plain environment. */
export function plainEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (
      value !== undefined &&
      !/API_KEY|^PALIMPSEST_|^CI$|^NO_COLOR$|^FORCE_COLOR$|^VITEST|^NODE_ENV$|^TEST$/.test(name)
    )
      kept[name] = value;
  return { ...kept, ...more };
}

const made: string[] = [];
afterAll(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

export function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'palimpsest-agent-test-'));
  made.push(dir);
  return dir;
}

/** A shop with so many source files. */
export async function newShop(files: number): Promise<string> {
  const root = await newShopFolder(files);
  made.push(root);
  return root;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Hangs up after so many characters, as `head` does. */
  readonly hearChars?: number;
  /** Put before the program, as `sh -c` would run it. */
  readonly before?: string;
}

export function run(words: readonly string[], options: RunOptions): Promise<Ran> {
  const { home, environment = {}, input = '', hearChars = Infinity, before } = options;
  const program = [process.execPath, ...programWords(words)];
  const quoted = program.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const [file, ...args] = before === undefined ? program : ['/bin/sh', '-c', `${before}; exec ${quoted}`];
  return new Promise((resolve, reject) => {
    const child = spawn(file!, args, { env: plainEnvironment({ PALIMPSEST_HOME: home, ...environment }) });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      if (stdout.length > hearChars) child.stdout.destroy();
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

export type Line = { readonly type: string } & Readonly<Record<string, unknown>>;

export const eventsOf = ({ stdout }: Ran): readonly Line[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
