import { type ChildProcess, spawn } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

/** A real process that speaks in lines. */
export interface Child {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Every line so far. */
  readonly lines: readonly string[];
  /** The first line not yet taken that begins so; rejects when the child ends without saying it. */
  line(beginning: string): Promise<string>;
  say(line: string): void;
  /** Resolves when the process is gone and all it said has been read. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/**
 * Makes one plain script of a file and all of ours that it imports, and gives back its path: started hundreds of times, a
 * child must not compile anything. What npm installed is found from `outDir` upwards.
 */
export async function bundleChild(file: URL, outDir: string): Promise<string> {
  const entry = fileURLToPath(file);
  await build({
    config: false,
    cwd: dirname(entry),
    entry: [entry],
    outDir,
    format: 'esm',
    platform: 'node',
    dts: false,
    clean: false,
    logLevel: 'error',
    noExternal: [/^@palimpsest\//],
    inputOptions: { resolve: { conditionNames: ['palimpsest-source', 'import', 'node', 'default'] } },
  });
  return join(outDir, `${basename(entry, '.ts')}.mjs`);
}

export const startChild = (script: string, args: readonly string[]): Child =>
  childOf(spawn(process.execPath, [script, ...args], { stdio: 'pipe' }));

export function childOf(process: ChildProcess): Child {
  const lines: string[] = [];
  let complaints = '';
  let rest = '';
  let over = false;
  let wakeWaiter = (): void => {};
  let taken = 0;
  process.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
    wakeWaiter();
  });
  process.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  // A killed child's pipe breaks; that is what these tests are about.
  process.stdin!.on('error', () => {});
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    process.on('close', (code, signal) => {
      over = true;
      resolve({ code, signal });
      wakeWaiter();
    });
  });
  return {
    process,
    pid: process.pid!,
    lines,
    ended,
    say: (line) => void process.stdin!.write(`${line}\n`),
    async line(beginning) {
      for (;;) {
        for (; taken < lines.length; taken++) {
          const line = lines[taken]!;
          if (line.startsWith(beginning)) {
            taken++;
            return line;
          }
        }
        if (over) throw new Error(`the child ended before it said "${beginning}": ${complaints}`);
        await new Promise<void>((resolve) => {
          wakeWaiter = resolve;
        });
      }
    },
  };
}
