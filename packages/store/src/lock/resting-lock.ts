import { errnoOf, StoreError } from '../store-error.ts';
import { type FileLock, takeLock } from './file-lock.ts';

/** A lock that its holder gives back for a while. Asked whether it is held it is taken again, if it is free. */
export interface RestingLock extends FileLock {
  /** Others may have held it since it was taken. */
  readonly hasRested: boolean;
  rest(): Promise<void>;
}

/** `isSame` tells whether what the lock stands for is still there: while it rests, all may be deleted and made anew. */
export function restingLock(path: string, taken: FileLock, isSame: () => Promise<boolean>): RestingLock {
  let lock: FileLock | undefined = taken;
  let hasRested = false;

  const release = async (): Promise<void> => {
    const held = lock;
    lock = undefined;
    await held?.release();
  };

  return {
    get hasRested() {
      return hasRested;
    },
    async isHeld() {
      if (lock !== undefined) return lock.isHeld();
      lock = await takeLock(path).catch(ignoreTaken);
      if (lock === undefined) return false;
      if (await isSame()) return true;
      await release();
      return false;
    },
    async rest() {
      hasRested = true;
      await release();
    },
    release,
  };
}

/** Another has it, or the place is gone. */
function ignoreTaken(error: unknown): undefined {
  const isTaken = error instanceof StoreError && (error.code === 'locked' || errnoOf(error.cause) === 'ENOENT');
  if (!isTaken) throw error;
}
