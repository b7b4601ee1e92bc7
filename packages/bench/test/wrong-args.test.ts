import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));

it.each([
  [['nothing'], 'There is no bench "nothing"'],
  [['audit'], 'Say where recorded sessions are: npm run bench -- audit --sessions FOLDER.'],
  [['audit', '--sessions', '/not/there'], 'There is no folder /not/there.'],
  [['audit', '--sessions', HERE, '--half', 'other'], '--half is "design" or "held-out".'],
  [['server', '--users', 'many'], '--users takes a number'],
  [['audit', '--loud'], '--loud is no option of the bench audit'],
  [['keeps', '--only', 'taste'], '--only is a list of reuse, frontier, compactions, facts, canaries, dialogues.'],
  [['keeps', '--half', 'other'], '--half is "first" or "second".'],
  [['keeps', '--chars', 'many'], '--chars is a list of whole numbers'],
  [['keeps', '--beside', HERE, '--only', 'facts'], 'it has no packages/core/src/index.ts'],
])('%j: one line that says what to say instead, and code 2', (args, said) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=palimpsest-source', MAIN, ...args],
    { encoding: 'utf8' },
  );
  expect(stderr).toContain(said);
  expect(stderr).not.toMatch(/^ +at /m);
  expect(status).toBe(2);
});
