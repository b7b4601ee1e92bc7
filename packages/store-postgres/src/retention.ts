import { StoreError } from '@palimpsest/store';
import { decodeSessionName } from '@palimpsest/store/authors';
import { database, type Limits } from './connection/database.ts';
import type { PostgresAccess, PostgresPool } from './connection/pool.ts';
import { type PostgresLimits, withPool } from './options.ts';
import { type Migrated, migrateSchema, quoteSchema } from './schema/migrate.ts';
import { deleteRows } from './session/delete-session.ts';

/** What to delete, and how much of it in one go. */
export type DeleteOldOptions = PostgresAccess &
  PostgresLimits & {
    /** Sessions to which nothing was appended for longer than this, in ms. */
    readonly idleMs: number;
    /** At most so many in one call, the oldest first; each in a transaction of its own. 1,000 by default. */
    readonly atMost?: number;
  };

/**
 * Makes the tables or brings them up to date, where the stores themselves may not (`migrate: false`). Safe to run again, and
 * in any number of processes at once.
 */
export const migratePostgres = (options: PostgresAccess & PostgresLimits): Promise<Migrated> =>
  withPool(options, (pool, { schema, limits }) => {
    quoteSchema(schema);
    return migrateSchema(pool, schema, limits);
  });

/** Deletes old sessions of every tenant, open ones excepted, and says how many. Fewer than `atMost`: there are no more. */
export const deleteOldSessions = (options: DeleteOldOptions): Promise<number> =>
  withPool(options, async (pool, { schema, limits }) => {
    const { idleMs, atMost = 1_000 } = options;
    if (!(idleMs >= 0) || !Number.isSafeInteger(atMost) || atMost < 1)
      throw new StoreError(
        'bad-option',
        '`idleMs` must be a number of 0 or more, `atMost` a whole number of 1 or more',
      );
    const quoted = quoteSchema(schema);
    let deleted = 0;
    for (const { tenant, name } of await findOld(pool, limits, quoted, idleMs, atMost)) {
      const tables = { database: database(pool, limits, { 'palimpsest.tenant': tenant }), tenant, quoted, leaseMs: 0 };
      const isGone = await deleteRows(tables, decodeSessionName(name) ?? name, name, idleMs).catch((error: unknown) => {
        // Opened since it was found.
        if (error instanceof StoreError && error.code === 'locked') return false;
        throw error;
      });
      if (isGone) deleted++;
    }
    return deleted;
  });

async function findOld(
  pool: PostgresPool,
  limits: Limits,
  quoted: string,
  idleMs: number,
  atMost: number,
): Promise<readonly { tenant: string; name: string }[]> {
  const text = `
    select tenant, id from ${quoted}.session
    where updated_at <= clock_timestamp() - $1 * interval '1 millisecond'
      and (lease_until is null or lease_until < clock_timestamp())
    order by updated_at limit $2`;
  const [found] = await database(pool, limits, { 'palimpsest.retention': 'on' }).run(
    [{ text, values: [idleMs, atMost] }],
    { doing: 'looking for old sessions' },
  );
  return (found?.rows ?? []).map(({ tenant, id }) => ({ tenant: String(tenant), name: String(id) }));
}
