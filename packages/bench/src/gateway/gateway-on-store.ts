import { join } from 'node:path';
import { startGateway } from '@palimpsest/gateway';
import { fileStore } from '@palimpsest/store';
import { postgresStore } from '@palimpsest/store-postgres';
import pg from 'pg';

/** A gateway with a store in a process of its own: says where it is, and counts the requests that went on as they came. */
const { place, upstream, window, patienceMs } = JSON.parse(process.argv[2] ?? '{}') as {
  /** The address of a Postgres, or a folder. */
  readonly place: string;
  readonly upstream: string;
  readonly window: number;
  readonly patienceMs: number;
};

function openPlace() {
  if (!place.startsWith('postgres://'))
    return (tenant: string) => fileStore({ dir: join(place, tenant), fsync: 'never' });
  const pool = new pg.Pool({ connectionString: place, max: 10 });
  pool.on('error', () => {});
  return (tenant: string) => postgresStore({ pool, tenant });
}

const gateway = await startGateway({
  upstreams: { '*': upstream },
  window,
  patienceMs,
  secret: 'shared by all',
  store: openPlace(),
  onRequest({ passed }) {
    if (passed !== undefined) console.log(`passed ${passed}`);
  },
});
console.log(`url ${gateway.url}`);
