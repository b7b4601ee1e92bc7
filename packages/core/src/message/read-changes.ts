import { isFields } from '../json.ts';
import type { Json } from './message.ts';
import { normalizePath, readField, readText } from './tool-input.ts';
import { toolTargets } from './tool-kinds.ts';

/** What a call changes in a file. What it removes is evidence of nothing. */
export interface Change {
  readonly path: string;
  readonly removed: string;
  readonly added: string;
  /** Nothing of the file stays but what was added. */
  readonly isWhole: boolean;
}

const blocks = /^[<-]{3,} ?SEARCH.*\n([\s\S]*?)\n?={3,}\n([\s\S]*?)\n?[>+]{3,} ?REPLACE/gm;
const patchFile = /^\*\*\* (Add|Update|Delete) File: (.+)$|^\+\+\+ (?:b\/)?([^\t\n]+)/;

/** What an edit or a write takes out of files and puts into them, however a host spells it. */
export function readChanges(tool: string, input: Json): readonly Change[] {
  const [path = ''] = toolTargets(tool, input);
  const patch = typeof input === 'string' ? input : readText(input, 'patchtext', 'patch', 'input', 'diff');
  if (patch !== undefined) {
    const replaced = [...patch.matchAll(blocks)].map(([, removed = '', added = '']) => ({
      path,
      removed,
      added,
      isWhole: false,
    }));
    return replaced.length > 0 ? replaced : readDiff(patch, path);
  }
  const edits = readField(input, 'edits');
  const all = Array.isArray(edits) ? (edits as readonly Json[]).filter(isFields) : [input];
  return all.flatMap((one) => {
    const removed = readText(one, 'oldstring', 'oldstr', 'oldtext', 'old', 'search', 'target');
    const added = readText(one, 'newstring', 'newstr', 'newtext', 'new', 'replace', 'replacement', 'newsource');
    if (removed !== undefined || added !== undefined)
      return [{ path, removed: removed ?? '', added: added ?? '', isWhole: false }];
    const content = readText(one, 'content', 'contents', 'filetext', 'text');
    return content === undefined
      ? []
      : [{ path, removed: '', added: content, isWhole: readText(one, 'command') !== 'insert' }];
  });
}

function readDiff(patch: string, path: string): readonly Change[] {
  const changes: { path: string; removed: string[]; added: string[]; isWhole: boolean }[] = [];
  const begin = (name: string, isWhole: boolean): void => {
    changes.push({ path: normalizePath(name.trim()), removed: [], added: [], isWhole });
  };
  for (const line of patch.split('\n')) {
    const [file, verb, named, plain] = patchFile.exec(line) ?? [];
    if (file !== undefined) begin(named ?? plain ?? path, verb === 'Add');
    else if (/^--- |^\*\*\* /.test(line)) continue;
    else if (line.startsWith('-')) changes.at(-1)?.removed.push(line.slice(1));
    else if (line.startsWith('+')) changes.at(-1)?.added.push(line.slice(1));
  }
  return changes.map((one) => ({ ...one, removed: one.removed.join('\n'), added: one.added.join('\n') }));
}
