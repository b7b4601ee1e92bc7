import { createHash } from 'node:crypto';

/**
 * What the model was shown of which file, so that an unchanged one is not shown again. Only as good as the view: whoever
 * hides something from it must call `forget`, since the earlier read may be gone.
 */
export interface ReadMemory {
  /** True where this very part was shown as it still is; else it is remembered now. */
  knows(path: string, part: string, content: string): boolean;
  forget(): void;
  forgetFile(path: string): void;
  /** Files that were read, newest first; a compaction changes nothing about that. */
  recent(): readonly string[];
}

const MOST_RECENT = 20;

export function newReadMemory(): ReadMemory {
  const shown = new Map<string, Map<string, string>>();
  const order = new Set<string>();
  return {
    knows(path, part, content) {
      order.delete(path);
      order.add(path);
      if (order.size > MOST_RECENT) order.delete(order.values().next().value!);
      const hash = createHash('sha256').update(content).digest('hex');
      const parts = shown.get(path) ?? new Map<string, string>();
      if (parts.get(part) === hash) return true;
      shown.set(path, parts.set(part, hash));
      return false;
    },
    forget: () => shown.clear(),
    forgetFile: (path) => void shown.delete(path),
    recent: () => [...order].reverse(),
  };
}
