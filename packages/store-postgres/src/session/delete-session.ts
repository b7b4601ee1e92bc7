import { StoreError } from '@palimpsest/store';
import type { Send } from '../connection/database.ts';
import type { Tables } from './tables.ts';

/** Records go in slices, so that no statement grows with the session. */
const SLICE = 10_000;

/** Void for a session that somebody writes. From here on no writer of it gets through. */
const takeText = ({ quoted }: Tables): string => `
  update ${quoted}.session set fence = null, lease_owner = null, lease_until = null
  where tenant = $1 and id = $2 and (fence is null or lease_until < clock_timestamp())
    and updated_at <= clock_timestamp() - $3 * interval '1 millisecond'
  returning head_seq`;

/** Deletes a session with all that only it has. False where it is not there, or not idle for so long; refuses one that is open. */
export async function deleteRows(tables: Tables, id: string, name: string, idleMs: number): Promise<boolean> {
  const { tenant, quoted } = tables;
  const work = async (send: Send): Promise<boolean> => {
    // In the order in which a put locks: the session, then its texts.
    await send({
      text: `select from ${quoted}.session where tenant = $1 and id = $2 for update`,
      values: [tenant, name],
    });
    const taken = await send({ text: takeText(tables), values: [tenant, name, idleMs] });
    const head = taken.rows[0]?.head_seq;
    if (head === undefined) {
      const text = `select from ${quoted}.session where tenant = $1 and id = $2 and lease_until >= clock_timestamp()`;
      const { rowCount } = await send({ text, values: [tenant, name] });
      if (rowCount === 0) return false;
      throw new StoreError('locked', `session "${id}" is open for writing: close it there before it is deleted`);
    }
    await deleteTexts(send, tables, name);
    for (let upTo = SLICE; upTo < Number(head) + SLICE; upTo += SLICE)
      await send({
        text: `delete from ${quoted}.record where tenant = $1 and session = $2 and seq <= $3`,
        values: [tenant, name, upTo],
      });
    await send({ text: `delete from ${quoted}.session where tenant = $1 and id = $2`, values: [tenant, name] });
    return true;
  };
  return tables.database.transact(work, { doing: `deleting session "${id}"` });
}

/** Those that no other session of the tenant put. */
async function deleteTexts(send: Send, { tenant, quoted }: Tables, name: string): Promise<void> {
  const { rows } = await send({
    text: `delete from ${quoted}.stash_use where tenant = $1 and session = $2 returning ref`,
    values: [tenant, name],
  });
  if (rows.length === 0) return;
  const values = [tenant, rows.map(({ ref }) => ref)];
  // Locked first, looked at in a statement of its own: who puts such a text now either was seen, or waits and saves it anew.
  await send({
    text: `select from ${quoted}.stash where tenant = $1 and ref = any($2) order by ref for update`,
    values,
  });
  await send({
    text: `delete from ${quoted}.stash s where tenant = $1 and ref = any($2)
      and not exists (select from ${quoted}.stash_use u where u.tenant = s.tenant and u.ref = s.ref)`,
    values,
  });
}
