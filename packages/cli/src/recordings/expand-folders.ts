import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemFailure } from '../files/system-failure.ts';

/** Files, and which of them only lie in a folder that was named. */
export interface Expanded {
  readonly files: readonly string[];
  readonly inFolders: ReadonlySet<string>;
}

/** Folders stand for the sessions in them. */
export async function expandFolders(named: readonly string[]): Promise<Expanded> {
  const files: string[] = [];
  const inFolders = new Set<string>();
  for (const name of named) {
    const there = await stat(name).catch((error: unknown) => {
      throw systemFailure(error, 'read', name);
    });
    if (!there.isDirectory()) files.push(name);
    else
      for (const file of await listFilesUnder(name)) {
        files.push(file);
        inFolders.add(file);
      }
  }
  return { files, inFolders };
}

async function listFilesUnder(folder: string): Promise<readonly string[]> {
  const entries: readonly Dirent[] = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      throw systemFailure(error, 'read', folder);
    },
  );
  return entries
    .filter((entry) => entry.isFile() && /\.(?:jsonl?|traj)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
