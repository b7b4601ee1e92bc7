import { randomBytes } from 'node:crypto';
import { type PostgresStore, type PostgresStoreOptions, postgresStore } from '@palimpsest/store-postgres';
import { type PostgresAddress, urlOf } from '@palimpsest/testing/postgres-server';
import pg from 'pg';
import { afterAll, describe, inject } from 'vitest';
import '@palimpsest/testing/postgres-setup';

const provided = inject('postgres');

/** Tests of a real server, skipped where none runs. */
export const describeOnServer = 'address' in provided ? describe : describe.skip;

/** The server that all tests share. */
export function findServer(): PostgresAddress {
  if ('missing' in provided) throw new Error(provided.missing);
  return provided.address;
}

const ends: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A connection as the server's owner, whom row security does not bind. */
export function connectOwner(database = 'postgres', address = findServer()): pg.Pool {
  const pool = new pg.Pool({ connectionString: urlOf(address, database), max: 4 });
  pool.on('error', () => {});
  ends.push(() => pool.end());
  return pool;
}

/** A tenant that nobody has had: an empty place for sessions. */
export const newTenant = (): string => `t-${randomBytes(6).toString('hex')}`;

/** A user of the server's who owns nothing and is bound by row security, with the right to make a schema in a new database. */
let owner: Promise<string> | undefined;

/** A database owned by a plain user, made once for a test file; the user's connection string. */
export function newDatabase(address = findServer()): Promise<string> {
  owner ??= makeDatabase(address);
  return owner;
}

/** A database of its own, and a plain user who owns it. */
export async function makeDatabase(
  address = findServer(),
  words = "encoding 'UTF8' template template0",
): Promise<string> {
  const name = `p_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client(urlOf(address));
  await admin.connect();
  try {
    await admin.query(`create role ${name} login password 'pass-${name}'`);
    await admin.query(`create database ${name} owner ${name} ${words}`);
  } finally {
    await admin.end();
  }
  return urlOf({ ...address, user: name, password: `pass-${name}` }, name);
}

/** A store that is closed after the tests of the file. */
export async function openStore(options: Partial<PostgresStoreOptions> & { tenant: string }): Promise<PostgresStore> {
  const connectionString = options.pool === undefined ? (options.connectionString ?? (await newDatabase())) : undefined;
  const store = postgresStore({ ...options, ...(connectionString && { connectionString }) } as PostgresStoreOptions);
  ends.push(() => store.close());
  return store;
}
