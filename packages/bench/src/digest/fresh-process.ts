import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';

const run = promisify(execFile);

/** A program of a bench, each run in a process of its own. */
export interface FreshProcess {
  /** What it prints, which is JSON. */
  run<Seen>(...words: readonly string[]): Promise<Seen>;
  remove(): Promise<void>;
}

/** Bundles a program as a package is built: run from its sources it would be slower than what people install. */
export async function bundleProgram(source: string): Promise<FreshProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-bench-'));
  const file = join(folder, 'program.mjs');
  const bundle = await rolldown({
    input: fileURLToPath(new URL(source, import.meta.url)),
    platform: 'node',
    logLevel: 'silent',
    resolve: { conditionNames: ['palimpsest-source', 'node', 'import', 'default'] },
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return {
    async run<Seen>(...words: readonly string[]) {
      const { stdout } = await run(process.execPath, ['--expose-gc', file, ...words]);
      return JSON.parse(stdout) as Seen;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
