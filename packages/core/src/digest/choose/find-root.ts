import type { Evidence, FileEvidence } from '../evidence/evidence.ts';

const shortestRoot = 8;
/** So many of the files lie in it; where files below it were called so in the session, fewer. */
const inRoot = 0.8;
const inCalledRoot = 0.3;

/** Whether a path says where it begins. */
export const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[A-Za-z]:\//.test(path);

/** A text without the root where it stands before a path: where the root was said, it need not be said again. */
export const omitRoot = (text: string, root: string): string => (root === '' ? text : text.replaceAll(root, ''));

/**
 * The folder that is said once: below it most files are called as they were called in the session; where none was, most
 * lie in it, and it is the deepest. Empty where there is none worth naming.
 */
export function findRoot({ files, identifiers }: Pick<Evidence, 'files' | 'identifiers'>): string {
  const absolute = files.map((file) => file.path).filter(isAbsolute);
  if (absolute.length < 2) return '';
  const names = new Set(identifiers.filter((one) => one.kind === 'path').map((one) => one.identifier));
  const folders = new Map<string, { files: number; called: number }>();
  for (const path of absolute) {
    for (let slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      const folder = folders.get(path.slice(0, slash + 1)) ?? { files: 0, called: 0 };
      folder.files++;
      if (names.has(path.slice(slash + 1))) folder.called++;
      folders.set(path.slice(0, slash + 1), folder);
    }
  }
  let root = '';
  let most = 0;
  for (const [folder, { files: count, called }] of folders) {
    const least = absolute.length * (called > 0 ? inCalledRoot : inRoot);
    if (count < 2 || count < least || folder.length < shortestRoot) continue;
    if (called > most || (called === most && folder.length > root.length)) [root, most] = [folder, called];
  }
  return root;
}

/** Of these files, those that a list tells by folder and name. */
export const listTold = (files: readonly FileEvidence[], shown: ReadonlySet<string>): readonly string[] =>
  files.flatMap(({ path }) => (shown.has(path.slice(path.lastIndexOf('/') + 1)) ? [path] : []));
