import { defineConfig } from 'vitest/config';

// Workspace packages resolve to their sources, so tests never run against a stale build.
export default defineConfig({
  resolve: { conditions: ['palimpsest-source'] },
  ssr: { resolve: { conditions: ['palimpsest-source', 'node', 'import', 'module', 'default'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'],
    globalSetup: ['scripts/bundle-programs.mjs'],
    // Generous: a busy machine is no failure, and no test asserts a time.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
