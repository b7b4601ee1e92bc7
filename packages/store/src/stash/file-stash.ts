import { mkdir, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Stash } from '@palimpsest/core';
import { type Fsync, PRIVATE_DIRECTORY, syncDirectory, writeWhole } from '../durable-file.ts';
import { errnoOf, StoreError, toStoreError } from '../store-error.ts';
import { decodeText, encodeText, isStashRef } from './stash-ref.ts';

/**
 * Texts by their hash, one file each, in a directory of their own that comes into being with the first of them. `isThere`
 * tells whether the session that they belong to still is: nothing is written for one that was deleted.
 */
export function fileStash(dir: string, fsync: Fsync, isThere: () => Promise<boolean>): Stash {
  // Absolute: whoever reads it may stand elsewhere.
  const fileOf = (ref: string): string => resolve(dir, `${ref}.txt`);

  const load = async (ref: string): Promise<Buffer | undefined> => {
    try {
      return await readFile(fileOf(ref));
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw toStoreError(error, 'reading', fileOf(ref));
    }
  };

  return {
    async put(text) {
      const { ref, bytes } = encodeText(text);
      const found = await load(ref);
      try {
        // A damaged file is written anew: here is the text it should hold.
        if (!(await isThere())) throw deletedError(dir);
        if (!found?.equals(bytes)) {
          await makeInside(dir, fsync);
          await writeWhole(fileOf(ref), bytes, dirname(dir), fsync);
        } else if (fsync === 'always') {
          // Whoever wrote it may have been killed before its name was durable.
          await syncDirectory(dir);
        }
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') throw deletedError(dir);
        throw toStoreError(error, 'writing', fileOf(ref));
      }
      return ref;
    },

    locate: (ref) => (isStashRef(ref) ? fileOf(ref) : undefined),

    async get(ref) {
      const bytes = isStashRef(ref) ? await load(ref) : undefined;
      if (bytes === undefined) return undefined;
      const text = decodeText(ref, bytes);
      if (text === undefined)
        throw new StoreError(
          'corrupt',
          `${fileOf(ref)} no longer holds the text that was saved there. Nothing was changed; saving the text again (it still stands in the transcript) mends it.`,
          { file: fileOf(ref) },
        );
      return text;
    },
  };
}

/** Made only where the session's own directory is: it may have been deleted. */
async function makeInside(dir: string, fsync: Fsync): Promise<void> {
  const isMade = await mkdir(dir, { mode: PRIVATE_DIRECTORY }).then(
    () => true,
    (error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error;
      return false;
    },
  );
  if (isMade && fsync === 'always') await syncDirectory(dirname(dir));
}

const deletedError = (dir: string): StoreError =>
  new StoreError('conflict', `${dirname(dir)} was deleted or made anew. Nothing was written; open the session again.`, {
    file: dir,
  });
