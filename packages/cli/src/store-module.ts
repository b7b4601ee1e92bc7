import { join } from 'node:path';
import type { OpenedStore, StoreModule } from '@palimpsest/gateway';
import { fileStore, type Store } from '@palimpsest/store';
import type { Pool } from 'pg';

/** Where a gateway's conversations are kept. */
type Place = { readonly folder: string } | { readonly postgres: string };

/** The store of a gateway, as its worker threads open it. */
export const storeModule = (data: Place): StoreModule => ({
  module: new URL(import.meta.url.endsWith('.ts') ? import.meta.url : './store-module.mjs', import.meta.url),
  data,
});

/** Every tenant has a folder of its own. What is written outlives the process; a client has it all besides. */
export const openFolder =
  (folder: string) =>
  (tenant: string): Store =>
    fileStore({ dir: join(folder, tenant), fsync: 'never' });

export async function openPool(connectionString: string): Promise<Pool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString, max: 10 });
  // A connection that breaks while nobody uses it is no news: the next statement gets another one.
  pool.on('error', () => {});
  return pool;
}

export default async function openStore(place: Place): Promise<OpenedStore> {
  if ('folder' in place) return { store: openFolder(place.folder) };
  const { postgresStore } = await import('@palimpsest/store-postgres');
  const pool = await openPool(place.postgres);
  return { store: (tenant) => postgresStore({ pool, tenant }), close: () => pool.end() };
}
