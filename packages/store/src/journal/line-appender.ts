import type { FileHandle } from 'node:fs/promises';
import type { Fsync } from '../durable-file.ts';
import type { RestingLock } from '../lock/resting-lock.ts';
import { StoreError } from '../store-error.ts';
import { makeLine } from './journal-line.ts';

/** A journal open for appending, and where its last whole record ends. */
export interface JournalFile {
  readonly file: string;
  readonly handle: FileHandle;
  readonly lock: RestingLock;
  readonly fsync: Fsync;
  readonly end: number;
  /** The sum of the last whole record. */
  readonly sum: number;
}

/** Writes records' bodies as lines at the end of the file: all of them or none. One call at a time. */
export type LineAppender = (bodies: readonly string[]) => Promise<void>;

export function lineAppender({ file, handle, lock, fsync, ...start }: JournalFile): LineAppender {
  let { end, sum } = start;
  let lost: StoreError | undefined;
  /** Bytes of a failed append may stand behind `end`. */
  let soiled = false;

  const cleanUp = async (): Promise<void> => {
    await handle.truncate(end);
    if (fsync === 'always') await handle.datasync();
    soiled = false;
  };

  /** Refuses before writing: a line behind somebody else's would make the whole file unreadable. */
  const guard = async (): Promise<void> => {
    const held = await lock.isHeld();
    const { size } = await handle.stat();
    // What stands behind the end may be another's, if there can have been one.
    if (held && (size === end || (soiled && size > end && !lock.hasRested))) return;
    lost = new StoreError(
      'conflict',
      `${file} is no longer this writer's: ${held ? 'its size was changed by somebody else' : 'its lock was removed or taken over'}. Nothing was written; open the session again.`,
      { file },
    );
    throw lost;
  };

  return async (bodies) => {
    if (lost !== undefined) throw lost;
    if (bodies.length === 0) return;
    const { bytes, sum: last } = chainLines(bodies, sum);
    await guard();
    if (soiled) await cleanUp();
    try {
      soiled = true;
      // The kernel may take a part of it only: the loop goes on until it took all or says why not.
      for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
      if (fsync === 'always') await handle.datasync();
      soiled = false;
    } catch (error) {
      // Where this fails too, the next append does it first.
      if (await lock.isHeld().catch(() => false)) await cleanUp().catch(() => {});
      throw error;
    }
    end += bytes.length;
    sum = last;
  };
}

/** The lines of the bodies, each with a sum that goes on from the one before; and the last sum. */
function chainLines(bodies: readonly string[], before: number): ReturnType<typeof makeLine> {
  let sum = before;
  const lines = bodies.map((body) => {
    const line = makeLine(body, sum);
    sum = line.sum;
    return line.bytes;
  });
  return { bytes: Buffer.concat(lines), sum };
}
