import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
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
 * Makes one plain script of a file beside this one and all it imports, and gives back its path: started hundreds of times,
 * a child must not compile anything.
 */
export async function bundleChild(name: string, outDir: string): Promise<string> {
  await build({
    config: false,
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    entry: [`${name}.ts`],
    outDir,
    format: 'esm',
    platform: 'node',
    dts: false,
    clean: false,
    logLevel: 'error',
    noExternal: [/^@palimpsest\//],
    inputOptions: { resolve: { conditionNames: ['palimpsest-source', 'import', 'node', 'default'] } },
  });
  return join(outDir, `${name}.mjs`);
}

export const startChild = (script: string, args: readonly string[]): Child =>
  childOf(spawn(process.execPath, [script, ...args], { stdio: 'pipe' }));

export function childOf(process: ChildProcess): Child {
  const lines: string[] = [];
  let complaints = '';
  let rest = '';
  let over = false;
  let heard = (): void => {};
  let taken = 0;
  process.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
    heard();
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
      heard();
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
          heard = resolve;
        });
      }
    },
  };
}
