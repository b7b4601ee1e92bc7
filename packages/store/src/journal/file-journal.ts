import type { FileHandle } from 'node:fs/promises';
import type { Journal } from '@palimpsest/core';
import type { Fsync } from '../durable-file.ts';
import type { FileLock } from '../lock/file-lock.ts';
import { StoreError, toStoreError } from '../store-error.ts';
import { encodeRecord, makeLine } from './journal-line.ts';

/** Appends that wait while another is written go together, up to this size. */
const GROUP_CHARS = 8 << 20;

interface Waiting {
  readonly bodies: readonly string[];
  readonly chars: number;
  done(): void;
  failed(error: StoreError): void;
}

interface Parts {
  readonly file: string;
  readonly handle: FileHandle;
  readonly lock: FileLock;
  readonly fsync: Fsync;
  /** Where the last whole record ends, and its sum. */
  readonly end: number;
  readonly sum: number;
}

export function fileJournal({ file, handle, lock, fsync, ...start }: Parts): Journal {
  let { end, sum } = start;
  let queue: Waiting[] = [];
  let working: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
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
    const [held, { size }] = await Promise.all([lock.isHeld(), handle.stat()]);
    if (held && (size === end || (soiled && size > end))) return;
    lost = new StoreError(
      'conflict',
      `${file} is no longer this writer's: ${held ? 'its size was changed by somebody else' : 'its lock was removed or taken over'}. Nothing was written; open the session again.`,
      { file },
    );
    throw lost;
  };

  const write = async (group: readonly Waiting[]): Promise<void> => {
    if (lost !== undefined) throw lost;
    let chained = sum;
    const lines: Buffer[] = [];
    for (const { bodies } of group)
      for (const body of bodies) {
        const line = makeLine(body, chained);
        lines.push(line.bytes);
        chained = line.sum;
      }
    if (lines.length === 0) return;
    const bytes = Buffer.concat(lines);
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
    sum = chained;
  };

  const nextGroup = (): Waiting[] => {
    let chars = 0;
    const over = queue.findIndex((waiting, at) => {
      chars += waiting.chars;
      return at > 0 && chars > GROUP_CHARS;
    });
    return queue.splice(0, over === -1 ? queue.length : over);
  };

  const work = async (): Promise<void> => {
    while (queue.length > 0) {
      const group = nextGroup();
      try {
        await write(group);
        for (const waiting of group) waiting.done();
      } catch (error) {
        const failure = toStoreError(error, 'appending to', file);
        // Those behind may build on what failed.
        const behind = queue;
        queue = [];
        for (const waiting of [...group, ...behind]) waiting.failed(failure);
      }
    }
    // In the same step as the last look at the queue: an append made right after it must find nobody at work.
    working = undefined;
  };

  return {
    async append(records) {
      if (closing !== undefined)
        throw new StoreError('closed', `${file} was closed by this writer: open the session again to append`, { file });
      const bodies = records.map(encodeRecord);
      const chars = bodies.reduce((sum, body) => sum + body.length, 0);
      const written = new Promise<void>((done, failed) => queue.push({ bodies, chars, done, failed }));
      working ??= work();
      return written;
    },

    close() {
      closing ??= (async () => {
        await working;
        await handle.close();
        await lock.release();
      })().catch((error: unknown) => {
        throw toStoreError(error, 'closing', file);
      });
      return closing;
    },
  };
}
