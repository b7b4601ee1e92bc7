import type { Dirent } from 'node:fs';
import { access, constants, open, readdir, readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Store, StoreError } from '@palimpsest/store';
import { formatCount } from '@palimpsest/terminal';
import { codeOf } from '../files/system-failure.ts';
import { openStore } from './store-folder.ts';

export interface Finding {
  readonly what: string;
  /** `note`: worth knowing. `bad`: something does not work. */
  readonly state: 'good' | 'note' | 'bad';
  readonly detail: string;
}

/** The folder where our sessions live, and each session in it. Nothing is changed. */
export async function examineStore(folder: string): Promise<readonly Finding[]> {
  const folderFinding = await examineFolder(folder);
  const findings = [folderFinding];
  if (folderFinding.state === 'bad') return findings;
  const store = openStore(folder);
  const sessions = await store.list();
  findings.push({ what: 'sessions', state: 'good', detail: `${formatCount(sessions.length, 'session')} of ours` });
  for (const { id } of sessions) findings.push(...(await examineJournal(store, id)));
  const homes: readonly Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const home of homes) if (home.isDirectory()) findings.push(...(await examineHome(join(folder, home.name))));
  return findings;
}

async function examineFolder(folder: string): Promise<Finding> {
  const what = 'store folder';
  try {
    const there = await stat(folder);
    if (!there.isDirectory()) return { what, state: 'bad', detail: `${folder} is a file; a folder is needed there` };
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { what, state: 'good', detail: `${folder} can be written` };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return { what, state: 'bad', detail: `${folder}: no permission to write there` };
    const parent = await findNearestFolder(dirname(folder));
    const isWritable = await access(parent, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    return isWritable
      ? { what, state: 'good', detail: `${folder} will be made when the first session is` }
      : { what, state: 'bad', detail: `${folder} cannot be made: no permission to write in ${parent}` };
  }
}

const findNearestFolder = async (folder: string): Promise<string> =>
  dirname(folder) === folder || (await stat(folder).catch(() => undefined)) !== undefined
    ? folder
    : findNearestFolder(dirname(folder));

async function examineJournal(store: Store, id: string): Promise<readonly Finding[]> {
  try {
    await store.read(id);
    return [];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [{ what: `session ${id}`, state: 'bad', detail: error.message }];
  }
}

/** What lies in a session's folder besides what is read. */
async function examineHome(home: string): Promise<readonly Finding[]> {
  const what = basename(home);
  const found: Finding[] = [];
  const note = (detail: string): void => void found.push({ what, state: 'note', detail });
  for (const name of await readdir(home).catch(() => []))
    if (name.startsWith('torn-')) note(`a crash cut a record short; its bytes are in ${join(home, name)}`);
  if (await isUnended(join(home, 'journal.jsonl')))
    note('its last record is half-written; the next writer sets it aside');
  const lock = await readFile(join(home, 'lock'), 'utf8').catch(() => undefined);
  if (lock !== undefined) note(describeHolder(lock));
  return found;
}

async function isUnended(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return false;
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return size > 0 && buffer[0] !== 0x0a;
  } finally {
    await handle.close();
  }
}

function describeHolder(lock: string): string {
  try {
    const { pid, host } = JSON.parse(lock) as { readonly pid: number; readonly host: string };
    if (host !== hostname()) return `held by process ${pid} on ${host}`;
    return isAlive(pid)
      ? `open in process ${pid}`
      : `its lock is of process ${pid}, which is gone; the next writer takes it`;
  } catch {
    return 'its lock cannot be read; the next writer takes it after a minute';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
