import type { Evidence, FileEvidence } from '../evidence/evidence.ts';
import { freshness, type Item } from './item.ts';

/**
 * Files below the root that most of them share, which is said once. Under the folder they share with others each keeps its
 * last two steps, the way people name a file; with `whole`, every path stands as it is below the root.
 */
export function fileItems(evidence: Evidence, whole: boolean): readonly Item[] {
  const scoreFile = (file: FileEvidence): number =>
    Math.log2(1 + file.edits) + 0.5 * Math.log2(1 + file.reads) + 2 * freshness(file.at, evidence);
  const root = findRoot(evidence);
  const items = [...evidence.files]
    .sort((a, b) => scoreFile(b) - scoreFile(a))
    .map((file) => {
      const lines = (whole ? file.lines : undefined)?.map(([from, to]) => `${from}-${to}`).join(',');
      const path = file.path.startsWith(root) ? file.path.slice(root.length) : file.path;
      const steps = whole ? [] : path.split('/').slice(0, -2);
      const folder = steps.join('') === '' ? '' : `${steps.join('/')}/`;
      const name = path.slice(folder.length);
      const much =
        file.state === 'read' ? (lines === undefined ? '' : `:${lines}`) : file.edits > 1 ? `×${file.edits}` : '';
      return {
        text: (name.includes(' ') ? `\`${name}\`` : name) + much,
        group: folder === '' ? file.state : `${file.state} in ${folder}`,
      };
    });
  return root === '' ? items : [{ text: root, group: 'root' }, ...items];
}

/** A text without the root where it stands before a path: where the root was said, it need not be said again. */
export const omitRoot = (text: string, root: string): string => (root === '' ? text : text.replaceAll(root, ''));

/**
 * The folder that is said once: most files lie in it, and below it files are called as they were called in the session, as
 * far as they were; else the deepest. Empty where there is none worth naming.
 */
export function findRoot({ files, identifiers }: Evidence): string {
  const absolute = files.map((file) => file.path).filter((path) => path.startsWith('/') || /^[A-Za-z]:\//.test(path));
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
    if (count < 2 || count < absolute.length * 0.8 || folder.length < shortestRoot) continue;
    if (called > most || (called === most && folder.length > root.length)) [root, most] = [folder, called];
  }
  return root;
}

const shortestRoot = 8;
