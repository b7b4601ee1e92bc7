export type { Answer, PostgresAccess, PostgresClient, PostgresPool } from './connection/pool.ts';
export { type DropOldUsageOptions, dropOldUsage } from './drop-old-usage.ts';
export type { PostgresLimits, PostgresStoreOptions } from './options.ts';
export { type PostgresStore, postgresStore } from './postgres-store.ts';
export { type RecordUsageOptions, recordUsage } from './record-usage.ts';
export { type DeleteOldOptions, deleteOldSessions, migratePostgres } from './retention.ts';
export type { Migrated } from './schema/migrate.ts';
export { type SumUsageOptions, sumUsage, type UsageKey, type UsageSum } from './sum-usage.ts';
export type { UsageRow } from './usage/usage-row.ts';
