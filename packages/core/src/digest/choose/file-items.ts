import type { Evidence, FileAct, FileEvidence } from '../evidence/evidence.ts';
import { findRoot, isAbsolute } from './find-root.ts';
import { freshness, type Item } from './item.ts';
import { listSeenFiles } from './seen-files.ts';

/** How a list of files tells what was done to them where it has little room. */
const marks: Readonly<Record<FileAct, string>> = { read: '', edited: '*', created: '+', deleted: '-' };

/**
 * Files by need, below the root that most of them share, which is said once; last those that were seen and not opened. With
 * `whole` under what was done to them, and what was read of them; else under their folders, with a mark.
 */
export function newFileItems(evidence: Evidence): (whole: boolean) => readonly Item[] {
  const scoreFile = (file: FileEvidence): number =>
    Math.log2(1 + file.edits) + 0.5 * Math.log2(1 + file.reads) + 2 * freshness(file.at, evidence);
  const root = findRoot(evidence);
  const files = [...joinNames(evidence.files)].sort((a, b) => scoreFile(b) - scoreFile(a));
  const seen = listSeenFiles(evidence, root);
  const belowRoot = (path: string): string => (path.startsWith(root) ? path.slice(root.length) : path);
  return (whole) => {
    const describe = whole ? describeWhole : describeShort;
    return [
      ...(root === '' ? [] : [{ text: root, group: 'root' }]),
      ...files.map((file) => describe(file, belowRoot(file.path))),
      ...seen.map(({ name, path }): Item => ({ text: whole ? path : name, group: 'seen' })),
    ];
  };
}

/** Each file once, where a session calls it by its whole path here and below its folder there. */
function joinNames(files: readonly FileEvidence[]): readonly FileEvidence[] {
  const whole = new Map<string, FileEvidence>();
  const below: FileEvidence[] = [];
  for (const file of files)
    if (isAbsolute(file.path)) whole.set(file.path, file);
    else below.push(file);
  const byName = new Map<string, string[]>();
  for (const path of whole.keys()) {
    const same = byName.get(nameIn(path));
    if (same === undefined) byName.set(nameIn(path), [path]);
    else same.push(path);
  }
  const joined = below.filter((file) => {
    const [same, other] = (byName.get(nameIn(file.path)) ?? []).filter((path) => path.endsWith(`/${file.path}`));
    const known = same === undefined || other !== undefined ? undefined : whole.get(same);
    if (known !== undefined) whole.set(known.path, joinFile(known, file));
    return known === undefined;
  });
  return [...whole.values(), ...joined];
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function joinFile(one: FileEvidence, other: FileEvidence): FileEvidence {
  const newer = other.at > one.at && other.state !== 'read' ? other : one;
  const state = one.state === 'read' ? other.state : newer.state;
  const { lines: _, ...rest } = one;
  return {
    ...rest,
    reads: one.reads + other.reads,
    edits: one.edits + other.edits,
    state,
    at: Math.max(one.at, other.at),
  };
}

const quote = (name: string): string => (name.includes(' ') ? `\`${name}\`` : name);

function describeWhole(file: FileEvidence, path: string): Item {
  const lines = file.lines?.map(([from, to]) => `${from}-${to}`).join(',');
  const much =
    file.state === 'read' ? (lines === undefined ? '' : `:${lines}`) : file.edits > 1 ? `×${file.edits}` : '';
  return { text: quote(path) + much, group: file.state };
}

function describeShort(file: FileEvidence, path: string): Item {
  const name = nameIn(path);
  const folder = path.slice(0, path.length - name.length);
  return { text: quote(name) + marks[file.state], ...(folder === '' ? {} : { group: folder }) };
}
