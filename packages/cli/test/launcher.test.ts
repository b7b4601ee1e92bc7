import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newFolder } from './run-palimpsest.ts';

/** What `npx palimpsest` runs. */
const PALIMPSEST = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));

const run = (launcher: string, cwd: string) =>
  spawnSync(process.execPath, [launcher, 'one', 'two'], { cwd, encoding: 'utf8', input: 'heard' });

/** Tells what reached it, and ends with a code of its own. */
const MAIN = `let input = '';
for await (const chunk of process.stdin) input += chunk;
console.log(JSON.stringify({ from: import.meta.url.split('/').slice(-2).join('/'), words: process.argv.slice(2), input }));
process.exitCode = 7;
`;

/** A package as it is published: the launcher beside a build. */
function published(): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'dist'));
  cpSync(PALIMPSEST, join(folder, 'bin', 'palimpsest.mjs'));
  writeFileSync(join(folder, 'dist', 'main.mjs'), MAIN);
  return folder;
}

describe('the launcher', () => {
  it('runs the build where there are no sources; words, input and exit code pass through', () => {
    const folder = published();
    const { status, stdout } = run(join(folder, 'bin', 'palimpsest.mjs'), folder);
    expect(status).toBe(7);
    expect(JSON.parse(stdout)).toEqual({ from: 'dist/main.mjs', words: ['one', 'two'], input: 'heard' });
  });

  it('runs the sources where they are, with nothing built, whatever lies in the folder it is called from', () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'tsconfig.json'), '{ not JSON');
    const { status, stdout, stderr } = spawnSync(process.execPath, [PALIMPSEST, '--version'], {
      cwd,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
