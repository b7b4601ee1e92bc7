import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asFields, asString, parseJson } from '@palimpsest/core/json';
import { folderAt } from './folder.ts';

/** A script larger than this is named by its size alone. */
const LARGEST_SCRIPT_BYTES = 1_000_000;
const ANYONE_RUNS = 0o111;
const SCRIPT = /\.(?:sh|bash|zsh|fish|py|rb|pl|php|lua|ps1|bat|cmd|[cm]?[jt]s)$/i;

/**
 * What is trusted: the commands as the settings have them, and every script of the folder that a word of them names. One
 * changed byte, and it is something else. What a command only reads or writes is no part of it.
 */
export async function fingerprintCommands(root: string, commands: readonly string[], shape: string): Promise<string> {
  const hash = createHash('sha256').update(shape);
  const words = new Set(commands.flatMap((command) => command.split(/[\s"'`;|&()<>=]+/)));
  for (const word of [...words].sort()) {
    const file = word === '' ? undefined : folderAt(root).at(word);
    const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
    if (file === undefined || found?.isFile() !== true || !(await folderAt(root).holds(word))) continue;
    if ((found.mode & ANYONE_RUNS) === 0 && !SCRIPT.test(word)) continue;
    hash.update(`\n${word}\n${found.size}\n`);
    if (found.size <= LARGEST_SCRIPT_BYTES) hash.update(await readFile(file));
  }
  return hash.digest('hex');
}

/** Which commands the user trusts in which folder. */
export interface TrustedFolders {
  isTrusted(root: string, fingerprint: string): Promise<boolean>;
  remember(root: string, fingerprint: string): Promise<void>;
}

/** Kept in a file of the user's own. */
export function trustedFolders(home: string, name: string): TrustedFolders {
  const file = join(home, name);
  const read = async (): Promise<Readonly<Record<string, unknown>>> =>
    asFields(asFields(parseJson(await readFile(file, 'utf8').catch(() => ''))).folders);
  const nameOf = (root: string): Promise<string> => realpath(root).catch(() => root);
  return {
    async isTrusted(root, fingerprint) {
      return asString((await read())[await nameOf(root)]) === fingerprint;
    },
    async remember(root, fingerprint) {
      const folders = { ...(await read()), [await nameOf(root)]: fingerprint };
      const part = `${file}.${randomBytes(6).toString('hex')}.part`;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(part, `${JSON.stringify({ v: 1, folders }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(part, file);
    },
  };
}
