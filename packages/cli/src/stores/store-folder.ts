import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileStore, type Store } from '@palimpsest/store';
import { Option } from 'commander';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** A session on disk does not say how large its model's window was. Where nothing is walked it does not matter. */
export const ANY_WINDOW = 200_000;

/** Where our own sessions live, unless `--dir` says otherwise. */
export function storeFolder(environment: Terminal['environment'], flag: string | undefined): string {
  if (flag !== undefined) return resolve(flag);
  const home = environment.PALIMPSEST_HOME;
  return join(home === undefined || home === '' ? join(homedir(), '.palimpsest') : resolve(home), 'sessions');
}

export const dirOption = (): Option =>
  new Option('--dir <folder>', 'where our sessions are (default: $PALIMPSEST_HOME/sessions, ~/.palimpsest/sessions)');

export const openStore = (folder: string): Store => fileStore({ dir: folder });

/** A session of ours by its id, or by the beginning of it where only one begins so; without a name the newest. */
export async function findSessionId(store: Store, folder: string, named?: string): Promise<string> {
  const infos = await store.list();
  const all = infos.map((info) => info.id);
  if (named === undefined) {
    const [newest] = [...infos].sort((one, other) => other.modifiedAt - one.modifiedAt);
    if (newest !== undefined) return newest.id;
    throw new UsageError(`there is no session in ${folder}.`);
  }
  if (all.includes(named)) return named;
  const close = all.filter((id) => id.startsWith(named));
  const [only, ...others] = close;
  if (only !== undefined && others.length === 0) return only;
  throw new UsageError(
    close.length > 1
      ? `${close.length} sessions begin with ${JSON.stringify(named)}: write more of the id.`
      : `there is no session ${JSON.stringify(named)} in ${folder}, and no such file; palimpsest sessions lists them.`,
  );
}
