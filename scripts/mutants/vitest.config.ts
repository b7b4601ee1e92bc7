import { defineConfig } from 'vitest/config';
import { fromSources } from '../vitest/from-sources.ts';

/** The tests of one room, which scripts/mutants.mjs names; Stryker runs them once a mutant. */
export default defineConfig({
  ...fromSources,
  test: { include: process.env.MUTANT_TESTS?.split(',') ?? [], testTimeout: 60_000 },
});
