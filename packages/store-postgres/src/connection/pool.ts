import pg from 'pg';

/** What a statement answers. */
export interface Answer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rowCount: number | null;
}

/** A connection of a pool, as far as this package uses it; every `pg` of version 8 has it. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<Answer>;
  /** With an error or `true`, the connection is thrown away. */
  release(error?: Error | boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** Whether statements go out without waiting for the answers of those before them. */
  readonly pipeline?: boolean;
}

/** A pool of connections, as `new pg.Pool()` makes one. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

/** The server and the rights on it: a connection string, or a pool that the host made and ends itself. */
export type PostgresAccess =
  | { readonly connectionString: string; readonly pool?: undefined }
  | { readonly pool: PostgresPool; readonly connectionString?: undefined };

/** Pools made here hold at most so many connections. */
const MOST_CONNECTIONS = 10;
const IDLE_MS = 30_000;

/** A pool of our own, and how to end it. */
export function makePool(connectionString: string, connectMs: number): { pool: PostgresPool; end(): Promise<void> } {
  const options: pg.PoolConfig & { pipeline: boolean } = {
    connectionString,
    max: MOST_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    // A process whose work is done must not live on for an idle connection.
    allowExitOnIdle: true,
    pipeline: true,
    fallback_application_name: 'palimpsest',
  };
  const pool = new pg.Pool(options);
  // An idle connection that the server ends; the next statement opens another.
  pool.on('error', () => {});
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ended ??= pool.end();
    return ended;
  };
  return { pool: pool as unknown as PostgresPool, end };
}
