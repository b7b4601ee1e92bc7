import { defineConfig } from 'vitest/config';
import { isDeep } from './packages/testing/src/depth.ts';
import { fromSources } from './scripts/vitest/from-sources.ts';

const MINUTE = 60_000;

/** Packages whose tests leave nothing behind in their process; files of these share one, and load the sources once. */
const PURE = ['core', 'wire', 'formats', 'tokens', 'measure', 'sdk'];

/** Packages whose tests share one Postgres server, which is there only while they run. */
const WITH_POSTGRES = ['store-postgres'];

export default defineConfig({
  ...fromSources,
  test: {
    // A hang is noticed within a minute. Deep runs have cases in the thousands.
    testTimeout: isDeep ? 30 * MINUTE : MINUTE,
    hookTimeout: isDeep ? 5 * MINUTE : MINUTE,
    // What is waited for comes at once on a free machine; on a full one it may take its time.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // By itself vitest leaves one core idle.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: [...PURE.map((name) => `packages/${name}/test/**/*.test.ts`), 'scripts/**/*.test.mjs'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'world',
          globalSetup: ['scripts/bundle-programs.mjs'],
          include: ['packages/*/test/**/*.test.ts', 'examples/*.test.ts'],
          exclude: [...PURE, ...WITH_POSTGRES].map((name) => `packages/${name}/**`),
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          globalSetup: ['packages/testing/src/postgres/postgres-setup.ts'],
          include: WITH_POSTGRES.map((name) => `packages/${name}/test/**/*.test.ts`),
          isolate: false,
        },
      },
    ],
  },
});
