import type { Evidence } from '../evidence/evidence.ts';
import { weighName } from '../evidence/weigh-name.ts';

/** So many are told at most, besides as many as were opened. */
const mostSeen = 12;

const extension = /\.[A-Za-z][A-Za-z0-9]{0,7}$/;
/** As a search shows a place in a file: `src/a.ts-12`. */
const lineBehind = /-\d+-?$/;

/** A file that results showed and nobody opened. */
interface Seen {
  weight: number;
  /** As it was called most. */
  path: string;
  times: number;
  /** A result, or a call, told the folder that it lies in. */
  isPlaced: boolean;
}

/**
 * Files that results showed and nobody opened, by need: what a search or a listing found, by name, and as they were called below the root. One
 * that nothing told with its folder may be no file: a name in a test, the end of many names.
 */
export function listSeenFiles(
  { files, identifiers, chars }: Evidence,
  root: string,
): readonly { readonly name: string; readonly path: string }[] {
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const opened = new Set(files.map(({ path }) => nameOf(path)));
  const extensions = new Set(files.flatMap(({ path }) => extension.exec(path)?.[0] ?? []));
  const seen = new Map<string, Seen>();
  for (const one of identifiers) {
    if (one.kind !== 'path' && one.kind !== 'name') continue;
    const path = one.identifier.includes('-') ? one.identifier.replace(lineBehind, '') : one.identifier;
    const name = nameOf(path);
    // A dotted name is a file where the session has files of that kind.
    if (opened.has(name) || !extensions.has(extension.exec(name)?.[0] ?? '')) continue;
    const times = one.inCalls + one.inWritten + one.inSaid + one.inResults;
    const file = seen.get(name) ?? { weight: 0, path, times, isPlaced: false };
    file.weight += weighName(one, chars);
    file.isPlaced ||= one.inResults + one.inErrors + one.inCalls > 0 && path.includes('/');
    if (times > file.times) [file.path, file.times] = [path, times];
    seen.set(name, file);
  }
  return [...seen]
    .filter(([, { isPlaced }]) => isPlaced)
    .sort(([one, { weight }], [other, { weight: otherWeight }]) => otherWeight - weight || (one < other ? -1 : 1))
    .slice(0, mostSeen + files.length)
    .map(([name, { path }]) => ({ name, path: path.startsWith(root) ? path.slice(root.length) : path }));
}
