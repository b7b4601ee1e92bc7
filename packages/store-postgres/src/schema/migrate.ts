import { StoreError } from '@palimpsest/store';
import { type Database, database, type Limits, type Send } from '../connection/database.ts';
import type { PostgresPool } from '../connection/pool.ts';
import { MIGRATIONS } from './migrations.ts';

/** The version before and after; the same where there was nothing to do. */
export interface Migrated {
  readonly from: number;
  readonly to: number;
}

const NEWEST = MIGRATIONS.length;
/** A change of a table waits no longer than this for those who use it, and they not for it; then it is tried again. */
export const DDL_LOCK_MS = 3_000;
const DDL_STATEMENT_MS = 60_000;

const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** The name as it stands in statements. */
export function quoteSchema(schema: string): string {
  if (typeof schema !== 'string' || !SCHEMA_NAME.test(schema))
    throw new StoreError('bad-option', '`schema` must be a name of a-z, 0-9 and "_" that begins with none of 0-9');
  return `"${schema}"`;
}

/**
 * Whether a schema is there, and in it the list of steps. Asked of the catalog's rows: `to_regclass` may answer from before a
 * lock was waited for.
 */
async function findTables(send: Send, schema: string): Promise<{ hasSchema: boolean; hasSteps: boolean }> {
  const { rows } = await send({
    text: `
      select exists (select from pg_catalog.pg_namespace where nspname = $1) as has_schema,
        exists (
          select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
          where n.nspname = $1 and c.relname = 'migration'
        ) as has_steps`,
    values: [schema],
  });
  return { hasSchema: rows[0]?.has_schema === true, hasSteps: rows[0]?.has_steps === true };
}

async function readVersion(send: Send, schema: string): Promise<number> {
  const { hasSteps } = await findTables(send, schema);
  if (!hasSteps) return 0;
  const { rows } = await send({ text: `select max(version) as version from ${quoteSchema(schema)}.migration` });
  return Number(rows[0]?.version ?? 0);
}

function refuseNewer(version: number, schema: string): void {
  if (version > NEWEST)
    throw new StoreError(
      'unsupported-version',
      `the schema "${schema}" has version ${version}, this package knows ${NEWEST}. Nothing was changed; use the newer @palimpsest/store-postgres that made it.`,
    );
}

/** For those who only read what a step of the tables brought. */
export async function refuseOlder(send: Send, schema: string, since: number): Promise<void> {
  const version = await readVersion(send, schema);
  refuseNewer(version, schema);
  if (version < since)
    throw new StoreError(
      'not-found',
      version === 0
        ? `there are no tables of Palimpsest in the schema "${schema}": the first store that is opened there makes them, or \`migratePostgres\``
        : `the schema "${schema}" has version ${version}, and what is asked for came with ${since}: the next store that is opened there brings it, or \`migratePostgres\``,
    );
}

/** Texts are stored as they are, so the database has to have every character. */
async function refuseOtherEncodings(send: Send): Promise<void> {
  const { rows } = await send({ text: "select current_setting('server_encoding') as encoding" });
  const encoding = rows[0]?.encoding;
  if (encoding !== 'UTF8')
    throw new StoreError(
      'bad-option',
      `the database has the encoding ${String(encoding)}: create one with ENCODING 'UTF8' (template0) and name it in \`connectionString\``,
    );
}

async function applyMissing(send: Send, schema: string): Promise<Migrated> {
  const quoted = quoteSchema(schema);
  await refuseOtherEncodings(send);
  // Those who start at once go one after the other; the lock ends with the transaction, also behind a pooler.
  await send({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [`palimpsest ${schema}`] });
  const from = await readVersion(send, schema);
  refuseNewer(from, schema);
  if (from === NEWEST) return { from, to: from };
  const { hasSchema } = await findTables(send, schema);
  // "If not exists" would ask for the right to create even where nothing is to be created.
  if (!hasSchema) await send({ text: `create schema ${quoted}` });
  if (from === 0)
    await send({
      text: `create table if not exists ${quoted}.migration (version int primary key, at timestamptz not null default clock_timestamp())`,
    });
  for (const [i, step] of MIGRATIONS.entries()) {
    if (i < from) continue;
    await send({ text: step.replaceAll('$S', quoted) });
    await send({ text: `insert into ${quoted}.migration (version) values ($1)`, values: [i + 1] });
  }
  return { from, to: NEWEST };
}

/** Brings the tables up to the newest version. Safe to run again, and in any number of processes at once. */
export function migrateSchema(pool: PostgresPool, schema: string, limits: Limits): Promise<Migrated> {
  const patient = { ...limits, statementMs: DDL_STATEMENT_MS, lockMs: DDL_LOCK_MS };
  return database(pool, patient, {}).transact((send) => applyMissing(send, schema), { doing: 'making the tables' });
}

/** Looks whether the tables are there, and makes them where that is wanted. */
export async function ensureSchema(
  pool: PostgresPool,
  plain: Database,
  { schema, limits, migrate }: { schema: string; limits: Limits; migrate: boolean },
): Promise<void> {
  const version = await plain.transact((send) => readVersion(send, schema), { doing: 'looking for the tables' });
  refuseNewer(version, schema);
  if (version === NEWEST) return;
  if (!migrate)
    throw new StoreError(
      'unsupported-version',
      `the schema "${schema}" has version ${version}, this package needs ${NEWEST}: run \`migratePostgres\` as its owner, or open the store without \`migrate: false\``,
    );
  await migrateSchema(pool, schema, limits);
}
