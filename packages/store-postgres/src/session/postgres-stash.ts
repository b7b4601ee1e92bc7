import type { Stash } from '@palimpsest/core';
import { StoreError } from '@palimpsest/store';
import { decodeText, encodeText, isStashRef } from '@palimpsest/store/authors';
import type { Tables } from './tables.ts';

/** The row is locked also where it stays as it is: whoever deletes texts that nobody uses waits, and then sees the use. */
const putText = ({ quoted }: Tables): string => `
  insert into ${quoted}.stash as s (tenant, ref, bytes) values ($1, $2, $3)
  on conflict (tenant, ref) do update set bytes = excluded.bytes where s.bytes <> excluded.bytes`;

const useText = ({ quoted }: Tables): string =>
  `insert into ${quoted}.stash_use (tenant, session, ref) values ($1, $2, $3) on conflict do nothing`;

const getText = ({ quoted }: Tables): string => `select bytes from ${quoted}.stash where tenant = $1 and ref = $2`;

/** Texts by their hash, each once for all sessions of the tenant; one goes with the last session that put it. */
export function postgresStash(tables: Tables, id: string, name: string): Stash {
  const { tenant } = tables;
  return {
    async put(text, { signal } = {}) {
      const { ref, bytes } = encodeText(text);
      await tables.database.run(
        [
          { text: putText(tables), values: [tenant, ref, bytes] },
          { text: useText(tables), values: [tenant, name, ref] },
        ],
        { doing: `stashing a text of session "${id}"`, signal },
      );
      return ref;
    },

    async get(ref) {
      if (!isStashRef(ref)) return undefined;
      const [found] = await tables.database.run([{ text: getText(tables), values: [tenant, ref] }], {
        doing: `reading a stashed text of session "${id}"`,
      });
      const bytes = found?.rows[0]?.bytes;
      if (!Buffer.isBuffer(bytes)) return undefined;
      const text = decodeText(ref, bytes);
      if (text === undefined)
        throw new StoreError(
          'corrupt',
          `the stashed text ${ref} of session "${id}" is not the one that was saved. Nothing was changed; saving the text again (it still stands in the transcript) mends it.`,
        );
      return text;
    },
  };
}
