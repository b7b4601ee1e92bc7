import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly keywords?: readonly string[];
}

/** Packages that people install: each is met by its README alone. */
const published = readdirSync(`${root}packages`)
  .map((folder) => ({ folder, file: `${root}packages/${folder}/package.json` }))
  .filter(({ file }) => existsSync(file))
  .map(({ folder, file }) => ({ folder, manifest: JSON.parse(readFileSync(file, 'utf8')) as Manifest }))
  .filter(({ manifest }) => manifest.private !== true);

/** Code that is not run here, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'store-postgres': 'it needs a server; the tests of the package start one and do the same',
};

const readmeOf = (folder: string): string => readFileSync(`${root}packages/${folder}/README.md`, 'utf8');
const blocksIn = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, code]) => (name === language ? [code!] : []));

const stripTypes = (code: string): string =>
  transpileModule(code, { compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2023 } }).outputText;

describe.each(published)('the README of $manifest.name stands alone', ({ folder, manifest }) => {
  const text = readmeOf(folder);

  it('says its name, how to get it, and leads nowhere that is not in the package', () => {
    expect(text.startsWith(`# ${manifest.name}\n`)).toBe(true);
    expect(blocksIn(text, 'sh').join('\n')).toContain(manifest.name);
    expect(text).not.toMatch(/\]\((?!https:)/);
    expect(manifest.keywords?.length).toBeGreaterThan(2);
  });

  const code = blocksIn(text, 'ts');
  it.runIf(code.length > 0 && NOT_RUN[folder] === undefined).each(code)(
    'its code runs as it stands (block %#)',
    async (block) => {
      const words = [
        '--import',
        'tsx',
        '--conditions=palimpsest-source',
        '--input-type=module',
        '-e',
        stripTypes(block),
      ];
      expect(await run(process.execPath, words, { cwd: root })).toEqual({ stdout: '', stderr: '' });
    },
  );

  it('the commands it shows exist', async () => {
    const shown = [...text.matchAll(/npx @palimpsest\/cli (\w+)/g)].map(([, name]) => name!);
    if (shown.length === 0) return;
    const { stdout } = await run(process.execPath, ['packages/cli/bin/palimpsest.mjs', '--help'], { cwd: root });
    for (const name of shown) expect(stdout).toMatch(new RegExp(`^ +${name}\\b`, 'm'));
  });
});
