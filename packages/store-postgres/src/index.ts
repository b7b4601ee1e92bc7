export type { Answer, PostgresAccess, PostgresClient, PostgresPool } from './connection/pool.ts';
export type { PostgresLimits, PostgresStoreOptions } from './options.ts';
export { type PostgresStore, postgresStore } from './postgres-store.ts';
export { type DeleteOldOptions, deleteOldSessions, migratePostgres } from './retention.ts';
export type { Migrated } from './schema/migrate.ts';
