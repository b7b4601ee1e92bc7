import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf } from './store-error.ts';

/** When a write is done: `always`, after the disk says that it has it; `never`, when the operating system has it. */
export type Fsync = 'always' | 'never';

/** Sessions hold what users and tools said: nobody else on the machine reads them. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_DIRECTORY = 0o700;

/** Files that a killed process may leave behind; the next writer removes them. */
export const isLeftOver = (name: string): boolean => name.endsWith('.part');

/** Makes the names in a directory durable: without it a new file can vanish with the power. */
export async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r').catch((error: unknown) => {
    // Windows opens no directories; there the file system journals names itself.
    if (errnoOf(error) === 'EPERM' || errnoOf(error) === 'EISDIR') return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function makeDirectory(dir: string, fsync: Fsync): Promise<void> {
  const first = await mkdir(dir, { recursive: true, mode: PRIVATE_DIRECTORY });
  if (first === undefined || fsync === 'never') return;
  for (let made = dir; ; made = dirname(made)) {
    await syncDirectory(dirname(made));
    if (made === first || dirname(made) === made) return;
  }
}

/** The whole file or none of it appears under its name. `partIn` is a directory on the same file system. */
export async function writeWhole(file: string, bytes: Buffer, partIn: string, fsync: Fsync): Promise<void> {
  const part = join(partIn, `${randomBytes(8).toString('hex')}.part`);
  try {
    const handle = await open(part, 'wx', PRIVATE_FILE);
    try {
      await handle.writeFile(bytes);
      if (fsync === 'always') await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await unlink(part).catch(() => {});
    throw error;
  }
  if (fsync === 'always') await syncDirectory(dirname(file));
}
