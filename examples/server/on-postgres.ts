/**
 * One process of a server that has several: sessions and accounts are in Postgres, so any of them can answer any user.
 * DATABASE_URL=postgres://… PROVIDER_URL=https://api.anthropic.com npx tsx --conditions=palimpsest-source examples/server/on-postgres.ts
 */
import { postgresStore } from '@palimpsest/store-postgres';
import pg from 'pg';
import { type Account, startChatServer } from './chat-server.ts';

const { DATABASE_URL, PROVIDER_URL = 'https://api.anthropic.com', WINDOW = '200000', LIVE = '500', PORT } = process.env;
if (DATABASE_URL === undefined) throw new Error('DATABASE_URL says which database keeps the sessions.');
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 });
pool.on('error', () => {}); // an idle connection that breaks is replaced
// Two processes that begin at once must not both make it.
await pool.query(`do $$ begin perform pg_advisory_xact_lock(4711);
  create table if not exists public.account (name text primary key, body jsonb not null); end $$`);

const server = await startChatServer({
  provider: PROVIDER_URL,
  window: Number(WINDOW),
  // One tenant for each user: what belongs to one is out of everybody else's reach, in the database too.
  store: (tenant) => postgresStore({ pool, tenant }),
  live: Number(LIVE),
  ...(PORT === undefined ? {} : { port: Number(PORT) }),
  accounts: {
    async read(user) {
      const { rows } = await pool.query<{ body: Account }>('select body from public.account where name = $1', [user]);
      return rows[0]?.body;
    },
    async append(user, turns, session) {
      // In one statement: of two processes that add turns of one user neither takes back the other's.
      await pool.query(
        `insert into public.account as a values ($1, $2) on conflict (name) do update
         set body = a.body || excluded.body || jsonb_build_object('turns', (a.body->'turns') || (excluded.body->'turns'))`,
        [user, JSON.stringify({ turns, ...(session === undefined ? {} : { session }) })],
      );
    },
  },
});
console.log(`url ${server.url}`);
process.once('SIGTERM', async () => {
  await server.stop();
  await pool.end();
});
