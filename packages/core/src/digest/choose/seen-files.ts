import type { Evidence } from '../evidence/evidence.ts';
import { weighName } from '../evidence/weigh-name.ts';

/** So many are told at most, besides as many as were opened. */
const mostSeen = 12;

const extension = /\.[A-Za-z][A-Za-z0-9]{0,7}$/;
/** As a search shows a place in a file: `src/a.ts-12`. */
const lineBehind = /-\d+-?$/;

/** Names of files that results showed and nobody opened, by need: what a search or a listing found. */
export function listSeenFiles({ files, identifiers, chars }: Evidence): readonly string[] {
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const opened = new Set(files.map(({ path }) => nameOf(path)));
  const extensions = new Set(files.flatMap(({ path }) => extension.exec(path)?.[0] ?? []));
  const weights = new Map<string, number>();
  for (const one of identifiers) {
    if (one.kind !== 'path' && one.kind !== 'name') continue;
    const name = nameOf(one.identifier).replace(lineBehind, '');
    // A dotted name is a file where the session has files of that kind.
    if (opened.has(name) || !extensions.has(extension.exec(name)?.[0] ?? '')) continue;
    weights.set(name, (weights.get(name) ?? 0) + weighName(one, chars));
  }
  return [...weights]
    .sort(([one, weight], [other, otherWeight]) => otherWeight - weight || (one < other ? -1 : 1))
    .slice(0, mostSeen + files.length)
    .map(([name]) => name);
}
