import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));
const examples = readdirSync(folder).filter((name) => /^\d\d-.*\.ts$/.test(name));

it('there are examples', () => {
  expect(examples.length).toBeGreaterThan(4);
});

it.each(examples)('%s holds what it asserts and says so in one line', async (name) => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--conditions=palimpsest-source', `${folder}${name}`],
    { cwd: folder },
  );
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toHaveLength(1);
});
