import type { Stash } from '@palimpsest/core';
import { StoreError } from '@palimpsest/store';
import { decodeText, encodeText, isStashRef } from '@palimpsest/store/authors';
import { BORN, type Lease } from './lease.ts';
import type { Tables } from './tables.ts';

/** The row is locked also where it stays as it is: whoever deletes texts that nobody uses waits, and then sees the use. */
const putText = ({ quoted }: Tables): string => `
  insert into ${quoted}.stash as s (tenant, ref, bytes) select $1, $2, $3::bytea ${whereThere(quoted, '$4', '$5')}
  on conflict (tenant, ref) do update set bytes = excluded.bytes where s.bytes <> excluded.bytes`;

/** One row where the session is still the one that the writer opened. */
const useText = ({ quoted }: Tables): string => `
  insert into ${quoted}.stash_use (tenant, session, ref) select $1, $2, $3 ${whereThere(quoted, '$2', '$4')}
  on conflict (tenant, session, ref) do update set ref = excluded.ref`;

/** Nothing is written for a session that was deleted; the lock has a deletion wait for the transaction. */
const whereThere = (quoted: string, name: string, born: string): string =>
  `from ${quoted}.session where tenant = $1 and id = ${name} and ${BORN} = ${born} for key share`;

const getText = ({ quoted }: Tables): string => `select bytes from ${quoted}.stash where tenant = $1 and ref = $2`;

/** Texts by their hash, each once for all sessions of the tenant; one goes with the last session that put it. */
export function postgresStash(tables: Tables, id: string, name: string, { born }: Pick<Lease, 'born'>): Stash {
  const { tenant } = tables;
  return {
    async put(text, { signal } = {}) {
      const { ref, bytes } = encodeText(text);
      const [, used] = await tables.database.run(
        [
          { text: putText(tables), values: [tenant, ref, bytes, name, born] },
          { text: useText(tables), values: [tenant, name, ref, born] },
        ],
        { doing: `stashing a text of session "${id}"`, signal },
      );
      if (used?.rowCount !== 1)
        throw new StoreError('conflict', `session "${id}" was deleted. Nothing was written; open it again.`);
      return ref;
    },
    get: getStashed(tables, id),
  };
}

/** Reads a text of the tenant. */
export function getStashed(tables: Tables, id: string): Stash['get'] {
  const { tenant } = tables;
  return async (ref) => {
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
  };
}
