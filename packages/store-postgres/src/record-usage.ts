import { database } from './connection/database.ts';
import type { PostgresAccess } from './connection/pool.ts';
import { type PostgresLimits, withPool } from './options.ts';
import { DDL_LOCK_MS, ensureSchema, quoteSchema } from './schema/migrate.ts';
import { insertRows, monthsOf, type UsageRow } from './usage/usage-row.ts';

/** What to write down. */
export type RecordUsageOptions = PostgresAccess &
  PostgresLimits & {
    /** Of any tenants and months, in any order. A row that is there already is left as it is. */
    readonly rows: readonly UsageRow[];
    /** False: the tables are not made or changed here; see `migratePostgres`. A month's own is made all the same. */
    readonly migrate?: boolean;
  };

/**
 * Writes down what requests used, all rows in one statement, and says how many are new. The table of a month is made by the first
 * row of it, however many processes have one at that moment.
 */
export const recordUsage = (options: RecordUsageOptions): Promise<number> =>
  withPool(options, async (pool, { schema, limits }) => {
    const { rows, migrate = true } = options;
    if (rows.length === 0) return 0;
    const quoted = quoteSchema(schema);
    const insert = insertRows(quoted, rows);
    const months = { text: `select ${quoted}.make_usage_month(m) from unnest($1::date[]) m`, values: [monthsOf(rows)] };
    // Who makes a month waits for no table longer than a migration does.
    const all = database(pool, { ...limits, lockMs: DDL_LOCK_MS }, { 'palimpsest.usage': 'all' });
    await ensureSchema(pool, all, { schema, limits, migrate });
    const [, inserted] = await all.run([months, insert], { doing: 'writing down what was used' });
    return inserted?.rowCount ?? 0;
  });
