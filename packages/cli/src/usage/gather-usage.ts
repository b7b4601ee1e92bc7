import { once } from 'node:events';
import { StoreError } from '@palimpsest/store';
import type { UsageKey, UsageSum } from '@palimpsest/store-postgres';
import { tellPostgresPlace } from '../stores/postgres-address.ts';
import type { Terminal } from '../terminal.ts';

/** What was used since a time: all together, and by each of some keys. */
export interface GatheredUsage {
  readonly total: UsageSum;
  readonly tables: readonly (readonly [UsageKey, readonly UsageSum[]])[];
}

/** What the gateway's store names them by. */
export const KEYS = ['day', 'model', 'tenant', 'session'] as const satisfies readonly UsageKey[];

/** No more lines are of use to anybody; one more is asked for, to say so. */
export const MOST_SUMS = 1_000;

/** A sum over hundreds of millions of requests takes its time; a server that is not there is told of at once. */
const STATEMENT_MS = 30_000;

/** Asks the server that gateways write to. What goes wrong is told in a line that has no password in it. */
export async function gatherUsage(
  { signal }: Terminal,
  address: string,
  { from, keys }: { readonly from: number; readonly keys: readonly UsageKey[] },
): Promise<GatheredUsage> {
  const place = tellPostgresPlace(address);
  // Loaded where it is needed: no other command should wait for a driver.
  const { sumUsage } = await import('@palimpsest/store-postgres');
  const server = { connectionString: address, statementTimeoutMs: STATEMENT_MS, retryMs: 0 };
  const ask = async (): Promise<GatheredUsage> => {
    const [total] = await sumUsage({ ...server, from });
    if (total === undefined) throw new Error(`${place} gave no sum.`);
    const tables: (readonly [UsageKey, readonly UsageSum[]])[] = [];
    for (const by of keys) tables.push([by, await sumUsage({ ...server, from, by, atMost: MOST_SUMS + 1 })]);
    return { total, tables };
  };
  const stopped = once(signal, 'abort').then((): never => signal.throwIfAborted() as never);
  return Promise.race([ask(), stopped]).catch((error: unknown) => {
    throw explainFailure(error, place);
  });
}

function explainFailure(error: unknown, place: string): unknown {
  if (!(error instanceof StoreError)) return error;
  const why = error.cause instanceof Error ? error.cause.message : error.message;
  const told: Readonly<Partial<Record<StoreError['code'], string>>> = {
    unavailable: `no answer from the Postgres at ${place}, or none in time (${why}): is it there, and are host and port right?`,
    denied: `the Postgres at ${place} refused (${why}): check user, password and database in the address, and the user's rights.`,
    'not-found': `nothing is written down at ${place} yet: a gateway that is started with --store and this address makes the tables.`,
  };
  return new Error(told[error.code] ?? `${place}: ${error.message}`, { cause: error });
}
