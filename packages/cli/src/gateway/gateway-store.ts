import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { GatewayOptions, StoreModule, UsageSink } from '@palimpsest/gateway';
import type { Store } from '@palimpsest/store';
import { encodeSessionName } from '@palimpsest/store/authors';
import { systemFailure } from '../files/system-failure.ts';
import { openFolder, openPool, storeModule } from '../store-module.ts';
import { isPostgresAddress } from '../stores/postgres-address.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Where a gateway keeps conversations, what tenants' names are keyed with there, and how old ones go. */
export interface GatewayStore extends Required<Pick<GatewayOptions, 'secret'>> {
  readonly store: StoreModule;
  /** Writes down what requests used, where there is a place for it. */
  readonly recordUsage?: UsageSink['write'];
  /** Deletes what nobody went on with for so long, and what was used in months that are over for so long; how many conversations there were. */
  deleteOld(idleMs: number): Promise<number>;
  /** Where a session of a tenant is kept, by the first characters of the tenant's name, and under which id. */
  readonly findSession?: (session: string, tenant: string) => Promise<StoredSession | undefined>;
  close(): Promise<void>;
}

export interface StoredSession {
  readonly folder: string;
  readonly id: string;
}

/** `--store`: a folder, the usual one without a name, or the address of a Postgres. */
export async function openGatewayStore(place: string | true, { environment }: Terminal): Promise<GatewayStore> {
  const secret = environment.PALIMPSEST_GATEWAY_SECRET ?? '';
  if (typeof place === 'string' && isPostgresAddress(place)) {
    if (secret === '')
      throw new UsageError('a gateway on Postgres needs PALIMPSEST_GATEWAY_SECRET, the same for all that share it.');
    return { ...(await onPostgres(place)), secret };
  }
  const home = environment.PALIMPSEST_HOME ?? '';
  const root = home === '' ? join(homedir(), '.palimpsest') : resolve(home);
  const folder = place === true ? join(root, 'gateway') : resolve(place);
  return { ...inFolder(folder), secret: secret === '' ? await keepSecret(folder) : secret };
}

type Kept = Omit<GatewayStore, 'secret'>;

/** Every tenant has a folder of its own. What is written outlives the process; a client has it all besides. */
function inFolder(folder: string): Kept {
  const open = openFolder(folder);
  return {
    store: storeModule({ folder }),
    async deleteOld(idleMs) {
      const entries = await readdir(folder, { withFileTypes: true });
      let count = 0;
      for (const { name } of entries.filter((entry) => entry.isDirectory())) {
        const old = (await open(name).list()).filter(({ modifiedAt }) => modifiedAt < Date.now() - idleMs);
        for (const { id } of old) if (await deleteFolder(open(name), join(folder, name), id)) count++;
      }
      return count;
    },
    async findSession(session, tenant) {
      const names = await readdir(folder).catch((): readonly string[] => []);
      const name = tenant === '' ? undefined : names.find((one) => one.startsWith(tenant));
      const stored = name === undefined ? [] : await open(name).list();
      const id = stored.map((one) => one.id).find((one) => one === session || one.endsWith(`-${session}`));
      return name === undefined || id === undefined ? undefined : { folder: join(folder, name), id };
    },
    close: async () => {},
  };
}

/** Under its lock, so that nobody goes on with it meanwhile. */
async function deleteFolder(store: Store, folder: string, id: string): Promise<boolean> {
  const opened = await store.open(id, { waitMs: 0 }).catch(() => undefined);
  if (opened === undefined) return false;
  await rm(join(folder, encodeSessionName(id)), { recursive: true, force: true });
  await opened.journal.close?.();
  return true;
}

/** Deleted in one go: less than this means that there are no more. */
const AT_A_TIME = 1_000;

async function onPostgres(connectionString: string): Promise<Kept> {
  const { deleteOldSessions, dropOldUsage, migratePostgres, recordUsage } = await import('@palimpsest/store-postgres');
  const pool = await openPool(connectionString);
  return {
    store: storeModule({ postgres: connectionString }),
    // Who hands rows over tries again by itself.
    recordUsage: (rows) => recordUsage({ pool, rows, retryMs: 0 }),
    async deleteOld(idleMs) {
      // The first to come may find no tables yet.
      await migratePostgres({ pool });
      let count = 0;
      for (let some = AT_A_TIME; some >= AT_A_TIME; count += some)
        some = await deleteOldSessions({ pool, idleMs, atMost: AT_A_TIME });
      await dropOldUsage({ pool, olderThanMs: idleMs });
      return count;
    },
    close: () => pool.end(),
  };
}

/** Made once, so that tenants are the same after a restart. */
async function keepSecret(folder: string): Promise<string> {
  const file = join(folder, 'secret');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw systemFailure(error, 'write', file);
  }
}
