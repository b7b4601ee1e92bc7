import { startGateway } from '@palimpsest/gateway';
import { postgresStore } from '@palimpsest/store-postgres';
import pg from 'pg';

/** A gateway on Postgres in a process of its own: says where it is, and counts the requests that went on as they came. */
const { connectionString, upstream, window, patienceMs } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly connectionString: string;
  readonly upstream: string;
  readonly window: number;
  readonly patienceMs: number;
};
const pool = new pg.Pool({ connectionString, max: 10 });
pool.on('error', () => {});
const gateway = await startGateway({
  upstreams: { '*': upstream },
  window,
  patienceMs,
  secret: 'shared by all three',
  store: (tenant) => postgresStore({ pool, tenant }),
  onRequest({ passed }) {
    if (passed !== undefined) console.log(`passed ${passed}`);
  },
});
console.log(`url ${gateway.url}`);
