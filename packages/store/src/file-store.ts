import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Fsync, isLeftOver, makeDirectory, PRIVATE_FILE, syncDirectory, writeWhole } from './durable-file.ts';
import { fileJournal } from './journal/file-journal.ts';
import { type Scan, scanJournal } from './journal/scan-journal.ts';
import { type FileLock, takeLock } from './lock/file-lock.ts';
import { restingLock } from './lock/resting-lock.ts';
import { decodeSessionName, encodeSessionName } from './session-name.ts';
import { fileStash } from './stash/file-stash.ts';
import type { OpenOptions, SessionInfo, SessionSnapshot, Store, StoredSession } from './store.ts';
import { errnoOf, StoreError, toStoreError } from './store-error.ts';

/** Where sessions lie on disk, and how safe a write has to be. */
export interface FileStoreOptions {
  /** Made when the first session is; only its owner can read what is in it. */
  readonly dir: string;
  /**
   * `always`, the default: an append or a stashed text is acknowledged when the disk has it, so it outlives a loss of
   * power. `never`: when the operating system has it, so it outlives the process, not the machine.
   */
  readonly fsync?: Fsync;
}

/**
 * One directory a session, all that belongs to it inside: copied, moved or deleted it is as a whole.
 *
 *     <dir>/<session>/journal.jsonl       every record, append-only
 *     <dir>/<session>/stash/<hash>.txt    large texts
 *     <dir>/<session>/lock                who writes
 *     <dir>/<session>/torn-<offset>-…     what a crash left of a record
 */
export function fileStore({ dir, fsync = 'always' }: FileStoreOptions): Store {
  if (typeof dir !== 'string' || dir === '')
    throw new StoreError('bad-option', '`dir` must name the directory in which the sessions are to live');
  if (fsync !== 'always' && fsync !== 'never')
    throw new StoreError('bad-option', '`fsync` must be "always" or "never"');
  const root = resolve(dir);

  return {
    open: async (id, options = {}) => openSession(pathsOf(root, id), id, fsync, options),
    read: async (id) => readSession(pathsOf(root, id), id, fsync),
    list: ({ prefix = '' } = {}) => listSessions(root, prefix),
    delete: async (id) => deleteSession(pathsOf(root, id), fsync),
  };
}

interface SessionPaths {
  readonly root: string;
  readonly home: string;
  readonly file: string;
  readonly lock: string;
  readonly stash: string;
}

function pathsOf(root: string, id: string): SessionPaths {
  const home = join(root, encodeSessionName(id));
  return { root, home, file: join(home, 'journal.jsonl'), lock: join(home, 'lock'), stash: join(home, 'stash') };
}

async function openSession(
  { home, file, ...paths }: SessionPaths,
  id: string,
  fsync: Fsync,
  options: OpenOptions,
): Promise<StoredSession> {
  options.signal?.throwIfAborted();
  let handle: FileHandle | undefined;
  const lock = restingLock(paths.lock, await lockIn(home, paths.lock, fsync, options), () => isFileOf(file, handle));
  try {
    for (const name of await readdir(home)) if (isLeftOver(name)) await unlink(join(home, name));
    handle = await open(file, 'a+', PRIVATE_FILE);
    const scan = await scanJournal(handle, file);
    const repaired = await mendEnd(handle, scan, home, fsync);
    if (fsync === 'always') {
      // A writer that was killed may have left whole records that the disk does not have yet.
      await handle.datasync();
      await syncDirectory(home);
    }
    const end = scan.unended ? scan.end + 1 : scan.end;
    const { rest, ...journal } = fileJournal({ file, handle, lock, fsync, end, sum: scan.sum });
    return {
      id,
      records: scan.records,
      journal,
      rest,
      stash: fileStash(paths.stash, fsync, () => isFileOf(file, handle)),
      ...(repaired === undefined ? {} : { repaired }),
    };
  } catch (error) {
    await handle?.close().catch(() => {});
    await lock.release().catch(() => {});
    throw toStoreError(error, 'opening', file);
  }
}

/** The lock of a session, whose directory comes into being with it. While it is waited for, the session may be deleted. */
async function lockIn(home: string, lock: string, fsync: Fsync, options: OpenOptions): Promise<FileLock> {
  for (;;) {
    await makeDirectory(home, fsync).catch((error: unknown) => {
      throw toStoreError(error, 'making', home);
    });
    const taken = await takeLock(lock, options).catch(ignoreGone);
    if (taken !== undefined) return taken;
  }
}

/** Another process deleted the directory. */
function ignoreGone(error: unknown): undefined {
  if (!(error instanceof StoreError) || errnoOf(error.cause) !== 'ENOENT') throw error;
}

/** Directories of sessions that are being deleted. No session has such a name. */
const DELETED = '.deleted-';

/** In one step the session is under no name any more; what a killed process left of that is removed with the next one. */
async function deleteSession({ root, home, lock }: SessionPaths, fsync: Fsync): Promise<void> {
  try {
    const isThere = await stat(home).then(() => true, ignoreMissing);
    const held = isThere === true ? await takeLock(lock).catch(ignoreGone) : undefined;
    if (held !== undefined)
      try {
        await rename(home, join(root, `${DELETED}${randomBytes(8).toString('hex')}`)).catch(ignoreMissing);
      } finally {
        await held.release();
      }
    const left = (await readdir(root).catch(ignoreMissing)) ?? [];
    for (const name of left) if (name.startsWith(DELETED)) await rm(join(root, name), { recursive: true, force: true });
    if (held !== undefined && fsync === 'always') await syncDirectory(root);
  } catch (error) {
    throw toStoreError(error, 'deleting', home);
  }
}

function ignoreMissing(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error;
}

/** Whether the file of that name is the one that is open. */
async function isFileOf(file: string, handle: FileHandle | undefined): Promise<boolean> {
  const [there, open] = await Promise.all([stat(file).catch(() => undefined), handle?.stat()]);
  return there !== undefined && there.ino === open?.ino && there.dev === open.dev;
}

async function readSession({ root, file, stash }: SessionPaths, id: string, fsync: Fsync): Promise<SessionSnapshot> {
  const scan = async (): Promise<Scan> => {
    const handle = await open(file, 'r');
    try {
      return await scanJournal(handle, file);
    } finally {
      await handle.close();
    }
  };
  try {
    const { records } = await scan().catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      // A writer whose append failed takes its bytes back, which can mix old and new under a reader. Damage stays.
      return scan();
    });
    return { id, records, stash: { get: fileStash(stash, fsync, async () => true).get } };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT')
      throw new StoreError('not-found', `there is no session "${id}" in ${root}: see list() for those there are`, {
        file,
      });
    throw toStoreError(error, 'reading', file);
  }
}

async function listSessions(root: string, prefix: string): Promise<readonly SessionInfo[]> {
  try {
    const names = (await readdir(root).catch(ignoreMissing)) ?? [];
    // Names are made character by character, so those of one beginning begin alike.
    const wanted = prefix === '' ? names : names.filter((name) => name.startsWith(encodeSessionName(prefix)));
    const found = await Promise.all(wanted.map((name) => readInfo(root, name)));
    return found
      .filter((info) => info !== undefined)
      .sort((a, b) => b.modifiedAt - a.modifiedAt || (a.id < b.id ? -1 : 1));
  } catch (error) {
    throw toStoreError(error, 'listing', root);
  }
}

async function readInfo(root: string, name: string): Promise<SessionInfo | undefined> {
  const id = decodeSessionName(name);
  if (id === undefined) return undefined;
  try {
    const { size, mtimeMs } = await stat(join(root, name, 'journal.jsonl'));
    return { id, bytes: size, modifiedAt: mtimeMs };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Makes the journal end in a whole line. Torn bytes are safe elsewhere before they are cut off. */
async function mendEnd(
  handle: FileHandle,
  { torn, end, unended }: Scan,
  home: string,
  fsync: Fsync,
): Promise<StoredSession['repaired']> {
  if (unended) await handle.write('\n');
  if (torn.length === 0) return undefined;
  const hash = createHash('sha256').update(torn).digest('hex').slice(0, 8);
  const keptAt = join(home, `torn-${end}-${hash}`);
  await writeWhole(keptAt, torn, home, fsync);
  await handle.truncate(end);
  return { droppedBytes: torn.length, keptAt };
}
