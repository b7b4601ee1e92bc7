import { normalizePath } from './tool-input.ts';

export interface PatchTouch {
  readonly path: string;
  readonly act: 'edited' | 'created' | 'deleted';
}

const begin = '*** Begin Patch';
const envelopeLine = /^\*\*\* (Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;
const unifiedLine = /^(---|\+\+\+) (\S[^\t\n]*)/gm;

/** The files a patch names, in either of the two common shapes: the `*** Begin Patch` envelope and unified diff. */
export function readPatch(patch: string): readonly PatchTouch[] {
  return patch.includes(begin) ? readEnvelope(patch) : readUnifiedDiff(patch);
}

function readEnvelope(patch: string): readonly PatchTouch[] {
  const acts = { Add: 'created', Update: 'edited', Delete: 'deleted' } as const;
  const touches: PatchTouch[] = [];
  for (const match of patch.matchAll(envelopeLine)) {
    if (match[3] !== undefined) {
      const from = touches.pop();
      if (from !== undefined) touches.push({ path: from.path, act: 'deleted' });
      touches.push({ path: normalizePath(match[3]), act: 'created' });
    } else {
      touches.push({ path: normalizePath(match[2]!), act: acts[match[1] as keyof typeof acts] });
    }
  }
  return touches;
}

function readUnifiedDiff(patch: string): readonly PatchTouch[] {
  if (!/^@@ -\d/m.test(patch)) return [];
  const touches: PatchTouch[] = [];
  let before: string | undefined;
  for (const match of patch.matchAll(unifiedLine)) {
    const path = match[2]!.trim();
    if (match[1] === '---') {
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
