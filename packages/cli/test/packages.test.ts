import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const CHECK = fileURLToPath(new URL('../../../scripts/check-packages.mjs', import.meta.url));

it('every package, built and packed: publint is content, types resolve under node16, nodenext and bundler, and it works', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, '--offline'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).not.toContain('✗');
  expect(stdout.match(/✓/g)).toHaveLength(6);
  expect(status).toBe(0);
});
