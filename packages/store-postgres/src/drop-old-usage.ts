import { StoreError } from '@palimpsest/store';
import { database } from './connection/database.ts';
import type { PostgresAccess } from './connection/pool.ts';
import { type PostgresLimits, withPool } from './options.ts';
import { DDL_LOCK_MS, ensureSchema, quoteSchema } from './schema/migrate.ts';

/** What to drop. */
export type DropOldUsageOptions = PostgresAccess &
  PostgresLimits & {
    /** Months whose last moment is longer ago than this, in ms, by the server's clock. */
    readonly olderThanMs: number;
  };

const LONGEST_MS = 4_000 * 365 * 24 * 3_600_000;

/** Drops what was used in months that are over for so long, their whole tables at once, and names them. */
export const dropOldUsage = (options: DropOldUsageOptions): Promise<readonly string[]> =>
  withPool(options, async (pool, { schema, limits }) => {
    const { olderThanMs } = options;
    if (!(olderThanMs >= 0 && Number.isFinite(olderThanMs)))
      throw new StoreError('bad-option', '`olderThanMs` must be a number of 0 or more');
    // Older than all that is there, and still a time that the server knows.
    const values = [Math.min(olderThanMs, LONGEST_MS)];
    const text = `select ${quoteSchema(schema)}.drop_usage_before(clock_timestamp() - $1 * interval '1 millisecond') as name`;
    const plain = database(pool, { ...limits, lockMs: DDL_LOCK_MS }, {});
    await ensureSchema(pool, plain, { schema, limits, migrate: false });
    const [dropped] = await plain.run([{ text, values }], { doing: 'dropping old usage' });
    return (dropped?.rows ?? []).map(({ name }) => String(name));
  });
