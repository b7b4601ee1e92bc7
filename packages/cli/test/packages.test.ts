import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeep } from '@palimpsest/testing';
import { expect, it } from 'vitest';

const CHECK = fileURLToPath(new URL('../../../scripts/check-packages.mjs', import.meta.url));
/** It builds every package and takes as long as all other tests of cli together: for CI, which says so, and deep runs. */
const isDue = isDeep || process.env.CI === 'true';

it.runIf(isDue)(
  'every package, built and packed: publint is content, types resolve under node16, nodenext and bundler, and it works',
  { timeout: 300_000 },
  () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, '--offline'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).not.toContain('✗');
    expect(stdout.match(/✓/g)).toHaveLength(6);
    expect(status).toBe(0);
  },
);
