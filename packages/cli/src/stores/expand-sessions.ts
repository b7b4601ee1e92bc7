import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemFailure } from '../files/system-failure.ts';
import type { Terminal } from '../terminal.ts';
import type { FoundSession } from './find-session.ts';
import { findNamed } from './open-session.ts';

/** Sessions, and which of them only lie in a folder that was named. */
export interface Expanded {
  readonly sessions: readonly FoundSession[];
  readonly inFolders: ReadonlySet<FoundSession>;
}

/** Sessions by path, id or project; folders stand for the sessions in them. Without a name, the newest session. */
export async function expandSessions(terminal: Terminal, named: readonly string[]): Promise<Expanded> {
  const found = await Promise.all(
    named.length === 0 ? [findNamed(terminal, undefined)] : named.map((one) => findNamed(terminal, one)),
  );
  const sessions: FoundSession[] = [];
  const inFolders = new Set<FoundSession>();
  for (const one of found) {
    if (one.type === 'own') {
      sessions.push(one);
      continue;
    }
    const there = await stat(one.file).catch((error: unknown) => {
      throw systemFailure(error, 'read', one.file);
    });
    if (!there.isDirectory()) sessions.push(one);
    else
      for (const file of await listFilesUnder(one.file)) {
        const inside: FoundSession = { type: 'file', file };
        sessions.push(inside);
        inFolders.add(inside);
      }
  }
  return { sessions, inFolders };
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
