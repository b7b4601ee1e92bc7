import type { OpenOptions, SessionInfo, SessionSnapshot, Store, StoredSession } from '@palimpsest/store';
import { StoreError } from '@palimpsest/store';
import { decodeSessionName, encodeSessionName } from '@palimpsest/store/authors';
import { type Database, database } from './connection/database.ts';
import { checkLease, checkLimits, checkTenant, openPool, type PostgresStoreOptions } from './options.ts';
import { ensureSchema, quoteSchema } from './schema/migrate.ts';
import { deleteRows } from './session/delete-session.ts';
import { type HeldSessions, heldSessions } from './session/held-sessions.ts';
import { takeLease } from './session/lease.ts';
import { loadRecords } from './session/load-records.ts';
import { postgresJournal } from './session/postgres-journal.ts';
import { getStashed, postgresStash } from './session/postgres-stash.ts';
import { recordAppender } from './session/record-appender.ts';
import type { Tables } from './session/tables.ts';

/** Sessions of one tenant on a Postgres server. */
export interface PostgresStore extends Store {
  /** Ends the connections that `connectionString` opened. Close the journals first. */
  close(): Promise<void>;
}

/**
 * A store for several processes: a session moves between them, one writer at a time. An append is acknowledged when the
 * server has committed it. The tables are made on first use.
 */
export function postgresStore(options: PostgresStoreOptions): PostgresStore {
  const { schema, limits } = checkLimits(options);
  const { migrate = true, leaseMs = 30_000 } = options;
  const tenant = checkTenant(options.tenant);
  const quoted = quoteSchema(schema);
  const lease = checkLease(leaseMs);
  const { pool, end } = openPool(options, limits);
  const direct = database(pool, limits, { 'palimpsest.tenant': tenant });
  let ready: Promise<void> | undefined;

  /** Looks for the tables once; where that failed, the next one looks again. */
  const whenReady = (): Promise<void> => {
    ready ??= ensureSchema(pool, direct, { schema, limits, migrate }).catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };
  const readied: Database = {
    run: async (statements, doing) => {
      await whenReady();
      return direct.run(statements, doing);
    },
    transact: async (work, doing) => {
      await whenReady();
      return direct.transact(work, doing);
    },
  };
  const tables: Tables = { database: readied, tenant, quoted, leaseMs: lease };
  const held = heldSessions(tables);

  return {
    open: async (id, how = {}) => openSession(tables, held, id, how),
    read: async (id) => readSession(tables, id),
    list: ({ prefix = '' } = {}) => listSessions(tables, prefix),
    delete: async (id) => void (await deleteRows(tables, id, encodeSessionName(id), 0)),
    close: end,
  };
}

async function openSession(tables: Tables, held: HeldSessions, id: string, how: OpenOptions): Promise<StoredSession> {
  const name = encodeSessionName(id);
  const lease = await takeLease(tables, id, name, how);
  const appender = recordAppender(tables, id, name, lease, held);
  try {
    const records = await loadRecords(tables, id, name, lease, {
      doing: `loading session "${id}"`,
      signal: how.signal,
    });
    const { rest, ...journal } = postgresJournal(id, appender);
    return { id, records, journal, rest, stash: postgresStash(tables, id, name, lease) };
  } catch (error) {
    await appender.release().catch(() => {});
    throw error;
  }
}

async function readSession(tables: Tables, id: string): Promise<SessionSnapshot> {
  const name = encodeSessionName(id);
  const text = `select head_seq, bytes from ${tables.quoted}.session where tenant = $1 and id = $2`;
  const doing = { doing: `reading session "${id}"` };
  const load = async () => {
    const [found] = await tables.database.run([{ text, values: [tables.tenant, name] }], doing);
    const row = found?.rows[0];
    if (row === undefined)
      throw new StoreError('not-found', `there is no session "${id}": see list() for those there are`);
    return loadRecords(tables, id, name, { head: Number(row.head_seq), bytes: Number(row.bytes) }, doing);
  };
  const records = await load().catch((error: unknown) => {
    // A writer whose append failed takes it back, and a session can be deleted under a reader. Damage stays.
    if (error instanceof StoreError && error.code === 'corrupt') return load();
    throw error;
  });
  return { id, records, stash: { get: getStashed(tables, id) } };
}

async function listSessions({ database, tenant, quoted }: Tables, prefix: string): Promise<readonly SessionInfo[]> {
  const text = `
    select id, bytes::float8 as bytes, extract(epoch from updated_at)::float8 * 1000 as modified_at
    from ${quoted}.session where tenant = $1 and id >= $2 and id < $2 || chr(127)`;
  const beginning = prefix === '' ? '' : encodeSessionName(prefix);
  const [found] = await database.run([{ text, values: [tenant, beginning] }], { doing: 'listing the sessions' });
  return (found?.rows ?? [])
    .flatMap(({ id, bytes, modified_at }) => {
      const decoded = decodeSessionName(String(id));
      return decoded === undefined ? [] : [{ id: decoded, bytes: Number(bytes), modifiedAt: Number(modified_at) }];
    })
    .sort((a, b) => b.modifiedAt - a.modifiedAt || (a.id < b.id ? -1 : 1));
}
