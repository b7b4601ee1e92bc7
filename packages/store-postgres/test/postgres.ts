import { randomBytes } from 'node:crypto';
import { type PostgresStore, type PostgresStoreOptions, postgresStore } from '@palimpsest/store-postgres';
import { type PostgresAddress, urlOf } from '@palimpsest/testing/postgres-server';
import pg from 'pg';
import { afterAll, describe, inject } from 'vitest';
import '@palimpsest/testing/postgres-setup';

const provided = inject('postgres');

const ends: (() => Promise<void>)[] = [];

/** Tests of a real server, skipped where none runs. What they opened is closed after them. */
export function describeOnServer(name: string, tests: () => void): void {
  describe.skipIf('missing' in provided)(name, () => {
    afterAll(async () => {
      for (const end of ends.splice(0)) await end();
    });
    tests();
  });
}

/** The server that all tests share. */
export function findServer(): PostgresAddress {
  if ('missing' in provided) throw new Error(provided.missing);
  return provided.address;
}

/** A connection as the server's owner, whom row security does not bind. */
export function connectOwner(database = 'postgres', address = findServer()): pg.Pool {
  const pool = new pg.Pool({ connectionString: urlOf(address, database), max: 4 });
  pool.on('error', () => {});
  ends.push(() => pool.end());
  return pool;
}

/** A tenant that nobody has had: an empty place for sessions. */
export const newTenant = (): string => `t-${randomBytes(6).toString('hex')}`;

let shared: Promise<string> | undefined;

/** A database that tests share, each as a tenant of its own: the connection string of the plain user who owns it. */
export function findDatabase(): Promise<string> {
  shared ??= makeDatabase();
  return shared;
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
  const connectionString =
    options.pool === undefined ? (options.connectionString ?? (await findDatabase())) : undefined;
  const store = postgresStore({ ...options, ...(connectionString && { connectionString }) } as PostgresStoreOptions);
  ends.push(() => store.close());
  return store;
}
