import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Enough to let the loop go first, and little enough that the helpers still do their part. */
const LESS = 3;
const LEAST_PRIORITY = 19;

/**
 * Threads that stand beside the main one (the collector's and the compiler's) give way to it from now on. On two processors four of them go
 * through a large heap at a time, and whoever streams waits for them. For a process that is a gateway and nothing else; answers how many
 * there were. Nothing happens where the system does not tell threads apart: outside Linux, or without `/proc`.
 */
export function lowerHelperThreads(): number {
  return listHelpers().filter(lowerThread).length;
}

function listHelpers(): readonly number[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync('/proc/self/task')
      .map(Number)
      .filter((thread) => thread !== process.pid);
  } catch {
    return [];
  }
}

/** Below the main thread's own: on Linux a priority is a thread's. One that has ended meanwhile is nobody's concern. */
function lowerThread(thread: number): boolean {
  try {
    setPriority(thread, Math.min(LEAST_PRIORITY, getPriority() + LESS));
    return true;
  } catch {
    return false;
  }
}
