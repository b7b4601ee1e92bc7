import { StoreError } from '@palimpsest/store';
import { encodeSessionName } from '@palimpsest/store/authors';
import type { Limits } from './connection/database.ts';
import { makePool, type PostgresAccess, type PostgresPool } from './connection/pool.ts';

/** What everything that works on the tables can be told. */
export interface PostgresLimits {
  /** Where the tables are: a schema of their own. "palimpsest" by default. */
  readonly schema?: string;
  /** How long one statement may take, in ms. 10,000 by default. */
  readonly statementTimeoutMs?: number;
  /**
   * How long to go on trying while the server is away or too slow, in ms; then the error is `unavailable`. 15,000 by default,
   * which is longer than a restart takes.
   */
  readonly retryMs?: number;
}

/** The server, whose sessions they are, and the rules of time. */
export type PostgresStoreOptions = PostgresAccess &
  PostgresLimits & {
    /** Whose sessions: nothing of one tenant is ever seen by another. Any string of up to 200 characters of a-z, 0-9, "_", "-"; others count 5. */
    readonly tenant: string;
    /**
     * How long a writer may be silent before another takes its session over, in ms. 30,000 by default. It shows signs of life
     * by itself, also while nothing is appended.
     */
    readonly leaseMs?: number;
    /** False: the tables are not made or changed here, where the user may not do that; see `migratePostgres`. */
    readonly migrate?: boolean;
  };

/** Options as numbers and names that were checked. */
export interface Resolved {
  readonly schema: string;
  readonly limits: Limits;
}

function checkMs(name: string, value: number, least: number): number {
  if (!Number.isFinite(value) || value < least || value > 2 ** 31 - 1)
    throw new StoreError('bad-option', `\`${name}\` must be a number of milliseconds, ${least} or more`);
  return Math.ceil(value);
}

export function checkLimits({
  schema = 'palimpsest',
  statementTimeoutMs = 10_000,
  retryMs = 15_000,
}: PostgresLimits): Resolved {
  const statementMs = checkMs('statementTimeoutMs', statementTimeoutMs, 1);
  return { schema, limits: { statementMs, lockMs: statementMs, retryMs: checkMs('retryMs', retryMs, 0) } };
}

export const checkLease = (leaseMs: number): number => checkMs('leaseMs', leaseMs, 100);

/** The tenant as it stands in rows and settings: ASCII, and two tenants never alike. */
export function checkTenant(tenant: string): string {
  try {
    return encodeSessionName(tenant);
  } catch {
    throw new StoreError(
      'bad-option',
      '`tenant` must be a string that is not empty and not too long: whose sessions these are',
    );
  }
}

/** The pool to work with, and how to end it where it is ours. */
export function openPool(
  access: PostgresAccess,
  { statementMs }: Limits,
): { pool: PostgresPool; end(): Promise<void> } {
  const { connectionString, pool } = access;
  if ((connectionString === undefined) === (pool === undefined))
    throw new StoreError('bad-option', 'give either `connectionString` or `pool`');
  if (pool !== undefined) return { pool, end: async () => {} };
  if (typeof connectionString !== 'string' || connectionString === '')
    throw new StoreError('bad-option', '`connectionString` must be like postgres://user:password@host:5432/database');
  return makePool(connectionString, statementMs);
}

/** Work on a pool that is ended after it, where it is ours. */
export async function withPool<T>(
  options: PostgresAccess & PostgresLimits,
  work: (pool: PostgresPool, resolved: Resolved) => Promise<T>,
): Promise<T> {
  const resolved = checkLimits(options);
  const { pool, end } = openPool(options, resolved.limits);
  try {
    return await work(pool, resolved);
  } finally {
    await end();
  }
}
