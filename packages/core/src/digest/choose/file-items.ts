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

/** The folder that is said once. */
export const findRoot = ({ files }: Evidence): string => findCommonRoot(files.map((file) => file.path));

/** A text without the root where it stands before a path: where the root was said, it need not be said again. */
export const omitRoot = (text: string, root: string): string => (root === '' ? text : text.replaceAll(root, ''));

/** The folder that most of the paths lie in: naming it once shortens them all. Empty where there is none worth naming. */
function findCommonRoot(paths: readonly string[]): string {
  const absolute = paths.filter((path) => path.startsWith('/') || /^[A-Za-z]:\//.test(path));
  const counts = new Map<string, number>();
  for (const path of absolute) {
    for (let slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash + 1);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  let root = '';
  for (const [folder, count] of counts) {
    if (count >= 2 && count >= absolute.length * 0.8 && folder.length > root.length) root = folder;
  }
  return root.length >= 8 ? root : '';
}
