import { normalizePath } from './tool-input.ts';

/** What a patch does to one file. */
export interface PatchTouch {
  readonly path: string;
  readonly act: 'edited' | 'created' | 'deleted';
}

const begin = '*** Begin Patch';
const envelopeLine = /^\*\*\* (Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;
const unifiedLine = /^(---|\+\+\+) (\S[^\t\n]*)/gm;
const acts = { Add: 'created', Update: 'edited', Delete: 'deleted' } as const;

/** The files a patch names, in either of the two common shapes: the `*** Begin Patch` envelope and unified diff. */
export function readPatch(patch: string): readonly PatchTouch[] {
  return patch.includes(begin) ? readEnvelope(patch) : readUnifiedDiff(patch);
}

function readEnvelope(patch: string): readonly PatchTouch[] {
  const touches: PatchTouch[] = [];
  for (const [, verb, path = '', movedTo] of patch.matchAll(envelopeLine)) {
    if (movedTo === undefined) {
      touches.push({ path: normalizePath(path), act: acts[verb as keyof typeof acts] });
      continue;
    }
    const from = touches.pop();
    if (from !== undefined) touches.push({ path: from.path, act: 'deleted' });
    touches.push({ path: normalizePath(movedTo), act: 'created' });
  }
  return touches;
}

function readUnifiedDiff(patch: string): readonly PatchTouch[] {
  if (!/^@@ -\d/m.test(patch)) return [];
  const touches: PatchTouch[] = [];
  let before: string | undefined;
  for (const [, side, name = ''] of patch.matchAll(unifiedLine)) {
    const path = name.trim();
    if (side === '---') {
      before = path;
    } else if (before !== undefined) {
      const plain = (path === '/dev/null' ? before : path).replace(/^[ab]\//, '');
      const act = before === '/dev/null' ? 'created' : path === '/dev/null' ? 'deleted' : 'edited';
      touches.push({ path: normalizePath(plain), act });
      before = undefined;
    }
  }
  return touches;
}
