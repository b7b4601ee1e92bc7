import type { Folder } from '../world/folder.ts';

/** The names of a folder's files, read when they are first asked for, and again after a while. */
export interface FileNames {
  /** What is known so far; `onRead` is called when there is more. */
  list(): readonly string[];
}

const MOST_FILES = 20_000;
const FRESH_MS = 5_000;

export function newFileNames(folder: Folder, onRead: () => void): FileNames {
  let names: readonly string[] = [];
  let readAt = -Infinity;
  const read = async (): Promise<void> => {
    const found: string[] = [];
    for await (const name of folder.files('.', new AbortController().signal)) {
      found.push(name);
      if (found.length === MOST_FILES) break;
    }
    names = found;
    onRead();
  };
  return {
    list() {
      const now = performance.now();
      if (now - readAt > FRESH_MS) {
        readAt = now;
        // What cannot be listed cannot be completed.
        void read().catch(() => {});
      }
      return names;
    },
  };
}
