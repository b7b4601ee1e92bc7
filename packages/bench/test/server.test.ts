import { NoPostgres } from '@palimpsest/testing/postgres-server';
import { expect, it } from 'vitest';
import { runServers } from '../src/benches/server.ts';

const SIZES = { users: 8, turns: 12, window: 8_000, live: 3, 'at-once': 2 };

it('the server on Postgres, in two processes that are restarted, mixes nobody’s words and forgets none', async (test) => {
  const seen = await runServers(SIZES, () => {}).catch((error: unknown) => {
    if (error instanceof NoPostgres) test.skip(error.message);
    throw error;
  });
  expect(seen).toMatchObject({ mixed: [], forgotten: [], failed: [], refused: [], forks: 0, requests: 8 * 12 });
  expect(seen.sessions).toBe(8 + 1);
  expect(seen.compactions).toBeGreaterThanOrEqual(8);
  expect(seen.restored).toBeGreaterThanOrEqual(8);
  expect(seen.cached).toBeGreaterThan(seen.cachedAlone - 0.02);
  for (const { live } of seen.memory) expect(live).toBeLessThanOrEqual(3);
}, 120_000);
