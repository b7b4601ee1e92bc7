import type { TestProject } from 'vitest/node';
import { NoPostgres, type PostgresAddress, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that the tests share; without one, why there is none here. */
    postgres: { readonly address: PostgresAddress } | { readonly missing: string };
  }
}

/** One server for all tests that need one, for as long as they run. Where none can run they are skipped, and it is said why. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  try {
    const server = await startPostgres();
    const { host, port, user, password } = server;
    project.provide('postgres', { address: { host, port, user, password } });
    return () => server.stop();
  } catch (error) {
    if (!(error instanceof NoPostgres)) throw error;
    console.warn(`No Postgres here, so its tests are skipped: ${error.message}`);
    project.provide('postgres', { missing: error.message });
    return undefined;
  }
}
