import type { Json } from './message.ts';
import { readPatch } from './read-patch.ts';
import { type FileAct, readShellTouches, type Touch } from './read-shell-touches.ts';
import { readText } from './tool-input.ts';
import { type ToolKind, toolTargets } from './tool-kinds.ts';

/** What a call does to files, if it goes well. */
export function readTouches(kind: ToolKind, tool: string, input: Json, command: string | undefined): readonly Touch[] {
  if (kind === 'shell')
    return command === undefined ? [] : readShellTouches(command, readText(input, 'workdir', 'cwd'));
  const patch = typeof input === 'string' ? input : readText(input, 'patchtext', 'patch', 'input', 'diff');
  if (kind === 'edit' && patch !== undefined) {
    const touched = readPatch(patch);
    if (touched.length > 0) return touched;
  }
  const act = kind === 'edit' && /delete|remove/i.test(tool) ? 'deleted' : acts.get(kind);
  return act === undefined ? [] : toolTargets(tool, input).map((path) => ({ path, act }));
}

const acts: ReadonlyMap<ToolKind, FileAct> = new Map([
  ['read', 'read'],
  ['write', 'created'],
  ['edit', 'edited'],
]);
