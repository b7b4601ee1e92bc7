import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Session } from '@palimpsest/core';
import { findSession } from '../stores/find-session.ts';
import { openRecallable } from '../stores/open-recallable.ts';
import { openStore, storeFolder } from '../stores/store-folder.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** So many sessions stay in memory. */
const MOST_OPEN = 8;

/** A session that is served: where it is, and when it was last written. */
export interface Served {
  readonly name: string;
  readonly changedAt: number;
  open(): Promise<Session>;
}

/** What a server is asked about: listed anew each time, since agents go on writing. */
export interface ServedSessions {
  /** Newest first. */
  list(): Promise<readonly Served[]>;
}

/**
 * The sessions behind the words of a command line: recordings, compacted files, folders of recordings, sessions of ours by their ids,
 * folders of ours. None: our own store. A session is read again only where it has changed.
 */
export async function findServed(
  named: readonly string[],
  dir: string | undefined,
  where: Pick<Terminal, 'environment' | 'cwd'>,
): Promise<ServedSessions> {
  const { environment } = where;
  const own = storeFolder(environment, dir);
  const opened = new Map<string, { readonly stamp: string; readonly session: Promise<Session> }>();
  const openOnce = (key: string, stamp: string, open: () => Promise<Session>): Promise<Session> => {
    const known = opened.get(key);
    if (known?.stamp === stamp) return known.session;
    const session = open();
    opened.delete(key);
    opened.set(key, { stamp, session });
    for (const oldest of [...opened.keys()].slice(0, -MOST_OPEN)) opened.delete(oldest);
    return session;
  };
  /** None where the file has gone since. */
  const serveFile = async (file: string): Promise<readonly Served[]> => {
    const there = await stat(file).catch(() => undefined);
    if (there === undefined) return [];
    const { mtimeMs, size } = there;
    const open = (): Promise<Session> =>
      openOnce(file, `${mtimeMs} ${size}`, () => openRecallable({ type: 'file', file }, dir, environment));
    return [{ name: basename(file), changedAt: mtimeMs, open }];
  };
  const serveStored = async (folder: string, only?: string): Promise<readonly Served[]> =>
    (await openStore(folder).list())
      .filter(({ id }) => only === undefined || id === only)
      .map(({ id, modifiedAt, bytes }) => ({
        name: id,
        changedAt: modifiedAt,
        open: () =>
          openOnce(`${folder}\n${id}`, `${modifiedAt} ${bytes}`, () =>
            openRecallable({ type: 'own', id }, folder, environment),
          ),
      }));
  const sources = await Promise.all((named.length === 0 ? [own] : named).map((one) => findSource(where, one, own)));
  return {
    async list() {
      const all = await Promise.all(
        sources.map(async (source) => {
          if (source.type === 'file') return serveFile(source.path);
          if (source.type === 'stored') return serveStored(own, source.id);
          const stored = await serveStored(source.path);
          return stored.length > 0
            ? stored
            : (await Promise.all((await listRecordings(source.path)).map(serveFile))).flat();
        }),
      );
      return all.flat().sort((one, other) => other.changedAt - one.changedAt);
    },
  };
}

type Source =
  | { readonly type: 'file' | 'folder'; readonly path: string }
  | { readonly type: 'stored'; readonly id: string };

async function findSource(where: Pick<Terminal, 'environment' | 'cwd'>, named: string, own: string): Promise<Source> {
  const found = await stat(named).catch(() => undefined);
  if (found?.isFile()) return { type: 'file', path: named };
  if (found?.isDirectory() || named === own) return { type: 'folder', path: named };
  if (/[/\\]/.test(named)) throw new UsageError(`there is no file or folder ${JSON.stringify(named)}.`);
  const session = await findSession(where, named, own);
  return session.type === 'own' ? { type: 'stored', id: session.id } : { type: 'file', path: session.file };
}

const listRecordings = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
