import { randomBytes } from 'node:crypto';
import { rename, stat, unlink, writeFile } from 'node:fs/promises';
import { UsageError } from '../usage-error.ts';
import { codeOf, systemFailure } from './system-failure.ts';

/** Sessions hold what users and tools said: nobody else on the machine reads them. */
const PRIVATE_FILE = 0o600;

export interface Target {
  readonly file: string;
  /** What must not be written over, whatever was asked for; a session of ours is no file. */
  readonly input?: string;
  readonly force: boolean;
}

/** Refuses before any work is done. */
export async function checkTarget({ file, input, force }: Target): Promise<void> {
  const there = await stat(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw systemFailure(error, 'write', file);
  });
  if (there === undefined) return;
  const own = input === undefined ? undefined : await stat(input);
  // Links have another name and are the same file.
  if (there.ino === own?.ino && there.dev === own.dev)
    throw new UsageError(`${file} is the session itself, which is never written over: name another file.`);
  if (!there.isFile()) throw new UsageError(`${file} is no ordinary file: name another one.`);
  if (!force) throw new UsageError(`${file} is there already: --force writes over it; or name another file.`);
}

/** The whole file or none of it appears under its name. */
export async function writeResult(target: Target, text: string): Promise<void> {
  const part = `${target.file}.${randomBytes(6).toString('hex')}.part`;
  try {
    await writeFile(part, text, { mode: PRIVATE_FILE, flag: 'wx' });
    await checkTarget(target);
    await rename(part, target.file);
  } catch (error) {
    await unlink(part).catch(() => {});
    throw error instanceof UsageError ? error : systemFailure(error, 'write', target.file);
  }
}
