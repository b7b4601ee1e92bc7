import type { Json } from '../../message/message.ts';
import { readPatch } from '../../message/read-patch.ts';
import { readField, readNumber, readText } from '../../message/tool-input.ts';
import { type ToolKind, toolTargets } from '../../message/tool-kinds.ts';
import type { FileAct, FileEvidence } from '../evidence/evidence.ts';
import { readShellTouches } from './read-shell-touches.ts';

/** What one call does to one file. */
export interface Touch {
  readonly path: string;
  readonly act: FileAct;
  readonly lines?: readonly [from: number, to: number];
}

/** What a call does to files, if it goes well. */
export function readTouches(kind: ToolKind, tool: string, input: Json, command: string | undefined): readonly Touch[] {
  if (kind === 'shell')
    return command === undefined ? [] : readShellTouches(command, readText(input, 'workdir', 'cwd'));
  const patch = typeof input === 'string' ? input : readText(input, 'patchtext', 'patch', 'input', 'diff');
  if (kind === 'edit' && patch !== undefined) {
    const touched = readPatch(patch);
    if (touched.length > 0) return touched;
  }
  const paths = toolTargets(tool, input);
  if (kind === 'read') {
    const lines = readLines(input);
    return paths.map((path) => (lines === undefined ? { path, act: 'read' } : { path, act: 'read', lines }));
  }
  if (kind === 'write') return paths.map((path) => ({ path, act: 'created' }));
  if (kind === 'edit') return paths.map((path) => ({ path, act: /delete|remove/i.test(tool) ? 'deleted' : 'edited' }));
  return [];
}

function readLines(input: Json): readonly [number, number] | undefined {
  const range = readField(input, 'viewrange');
  if (Array.isArray(range) && typeof range[0] === 'number' && typeof range[1] === 'number' && range[1] >= range[0]) {
    return [range[0], range[1]];
  }
  const from = readNumber(input, 'offset', 'startline', 'startlineoneindexed', 'linestart');
  const to = readNumber(input, 'endline', 'endlineoneindexedinclusive', 'lineend');
  const limit = readNumber(input, 'limit');
  if (to !== undefined) return [from ?? 1, to];
  if (limit !== undefined) return [from ?? 1, (from ?? 1) + limit - 1];
  return undefined;
}

/** More than this many places in one file say no more than that it was read all over. */
const mostRanges = 4;

interface FileCount {
  reads: number;
  edits: number;
  state: FileAct;
  lines: (readonly [number, number])[];
  whole: boolean;
  at: number;
}

/** Adds touches up to one line a file. */
export function newFileTally(previous: readonly FileEvidence[]): {
  addTouch(touch: Touch, at: number): void;
  toEvidence(): readonly FileEvidence[];
} {
  const files = new Map<string, FileCount>(
    previous.map(({ path, lines, ...rest }) => [
      path,
      { ...rest, lines: [...(lines ?? [])], whole: lines === undefined && rest.reads > 0 },
    ]),
  );
  return {
    addTouch({ path, act, lines }, at) {
      const file = files.get(path) ?? { reads: 0, edits: 0, state: 'read', lines: [], whole: false, at };
      files.delete(path);
      files.set(path, file);
      file.at = at;
      if (act === 'read') {
        file.reads++;
        if (lines === undefined) file.whole = true;
        else file.lines = mergeRanges([...file.lines, lines]).slice(-mostRanges);
        if (file.state === 'deleted') file.state = 'read';
        return;
      }
      file.edits++;
      // Writing a file that was read before is an edit; a file made here stays made here until it is deleted.
      if (act === 'deleted') file.state = 'deleted';
      else if (file.state !== 'created') file.state = act === 'created' && file.reads > 0 ? 'edited' : act;
    },
    toEvidence: () =>
      [...files].map(([path, { lines, whole, ...rest }]) =>
        whole || lines.length === 0 ? { path, ...rest } : { path, ...rest, lines },
      ),
  };
}

function mergeRanges(ranges: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const kept: (readonly [number, number])[] = [];
  for (const range of ranges) {
    const [from, to] = range;
    const touching = kept.find(([a, b]) => from <= b + 1 && to >= a - 1);
    if (touching === undefined) {
      kept.push(range);
      continue;
    }
    const [a, b] = touching;
    kept.splice(kept.indexOf(touching), 1);
    kept.push([Math.min(a, from), Math.max(b, to)]);
  }
  return kept;
}
