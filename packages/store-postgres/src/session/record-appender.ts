import { randomUUID } from 'node:crypto';
import { StoreError } from '@palimpsest/store';
import type { LineAppender } from '@palimpsest/store/authors';
import type { Doing } from '../connection/database.ts';
import type { HeldSessions } from './held-sessions.ts';
import type { Lease } from './lease.ts';
import type { Tables } from './tables.ts';

/** The end of a session that this writer has: appends go there. */
export interface RecordAppender {
  readonly append: LineAppender;
  /**
   * Lets the lease lapse, once `last` is done: the appends of that do it on the way. As long as nobody takes the session it is
   * still this writer's, and its next append renews the lease.
   */
  rest(last: () => Promise<void>): Promise<void>;
  /** Gives the session back. What an append left that was not acknowledged goes with it. */
  release(): Promise<void>;
}

/** One statement: the head moves on and the records stand behind it, or neither. */
const appendText = ({ quoted }: Tables): string => `
  with moved as (
    update ${quoted}.session
    set head_seq = head_seq + cardinality($5::text[]), bytes = bytes + $6, updated_at = clock_timestamp(),
      lease_until = clock_timestamp() + $7 * interval '1 millisecond'
    where tenant = $1 and id = $2 and fence = $3 and head_seq = $4
    returning 1
  )
  insert into ${quoted}.record (tenant, session, seq, payload)
  select $1, $2, $4 + nth, payload
  from unnest($5::text[]) with ordinality as given (payload, nth)
  where exists (select from moved)`;

const lapseText = ({ quoted }: Tables): string =>
  `update ${quoted}.session set lease_until = clock_timestamp() where tenant = $1 and id = $2 and fence = $3`;

const headText = ({ quoted }: Tables): string =>
  `select head_seq from ${quoted}.session where tenant = $1 and id = $2 and fence = $3`;

/** Sets the head to the last record acknowledged and the fence to another (or to none), so that nothing sent before counts. */
const fenceText = ({ quoted }: Tables): string => `
  update ${quoted}.session
  set fence = $4, head_seq = $5, bytes = $6,
    lease_owner = case when $4::uuid is null then null else lease_owner end,
    lease_until = case when $4::uuid is null then null else lease_until end
  where tenant = $1 and id = $2 and (fence = $3 or fence = $4)`;

/** In a statement of its own: it must see what was written while the one before waited. */
const cutText = ({ quoted }: Tables): string => `
  delete from ${quoted}.record
  where tenant = $1 and session = $2 and seq > (
    select head_seq from ${quoted}.session where tenant = $1 and id = $2 and fence is not distinct from $3::uuid
  )`;

/** Where this fails the lease lapses by itself: nobody renews it. */
async function lapseLease(tables: Tables, name: string, fence: string): Promise<void> {
  const statement = { text: lapseText(tables), values: [tables.tenant, name, fence] };
  await tables.database.run([statement], { doing: 'letting a lease lapse', once: true }).catch(() => {});
}

/** Whether the records stand behind the head that is named. */
async function sendRecords(tables: Tables, values: Appended, doing: Doing): Promise<boolean> {
  const [tenant, name, fence, head, bodies] = values;
  const [appended] = await tables.database.run([{ text: appendText(tables), values }], doing);
  if (appended?.rowCount === bodies.length) return true;
  // Where the first answer was lost with its connection, the next attempt finds the head moved, and by nobody else: the
  // fence is ours alone.
  const [now] = await tables.database.run([{ text: headText(tables), values: [tenant, name, fence] }], doing);
  return Number(now?.rows[0]?.head_seq) === head + bodies.length;
}

/** Tenant, name, fence, head, bodies, their bytes, and how long the lease is from now on. */
type Appended = readonly [string, string, string, number, readonly string[], number, number];

const lostError = (id: string): StoreError =>
  new StoreError(
    'conflict',
    `session "${id}" is no longer this writer's: its lease lapsed and another took it over, or it was deleted. Nothing was written; open it again.`,
  );

export function recordAppender(
  tables: Tables,
  id: string,
  name: string,
  lease: Lease,
  held: HeldSessions,
): RecordAppender {
  const { tenant, leaseMs } = tables;
  let { fence, head, bytes } = lease;
  let lost: StoreError | undefined;
  /** An append failed and may stand on the server all the same, now or when it gets there. */
  let isUnsure = false;
  /** The lease is left to lapse: with the next append, and since the last one. */
  let lapses = false;
  let hasLapsed = false;
  held.add(fence, name);

  const refuse = (): StoreError => {
    held.remove(fence);
    lost = lostError(id);
    return lost;
  };

  /** Makes the server forget what was not acknowledged. Can be done twice. */
  const cutBack = async (next: string | null): Promise<boolean> => {
    const [fenced] = await tables.database.run(
      [
        { text: fenceText(tables), values: [tenant, name, fence, next, head, bytes] },
        { text: cutText(tables), values: [tenant, name, next] },
      ],
      { doing: next === null ? `closing session "${id}"` : `appending to session "${id}"` },
    );
    return fenced?.rowCount === 1;
  };

  const settleDoubt = async (): Promise<void> => {
    const next = randomUUID();
    const isOurs = await cutBack(next);
    if (!isOurs) throw refuse();
    held.remove(fence);
    fence = next;
    held.add(fence, name);
    isUnsure = false;
  };

  return {
    async append(bodies) {
      if (lost !== undefined) throw lost;
      if (bodies.length === 0) return;
      if (isUnsure) await settleDoubt();
      isUnsure = true;
      const more = bodies.reduce((sum, body) => sum + Buffer.byteLength(body) + 1, 0);
      const isLast = lapses;
      const values: Appended = [tenant, name, fence, head, bodies, more, isLast ? 0 : leaseMs];
      if (!(await sendRecords(tables, values, { doing: `appending to session "${id}"` }))) throw refuse();
      head += bodies.length;
      bytes += more;
      isUnsure = false;
      hasLapsed = isLast;
      if (isLast) held.remove(fence);
      else held.add(fence, name);
    },

    async rest(last) {
      lapses = true;
      await last().finally(() => {
        lapses = false;
      });
      if (hasLapsed || lost !== undefined) return;
      held.remove(fence);
      hasLapsed = true;
      await lapseLease(tables, name, fence);
    },

    async release() {
      held.remove(fence);
      if (lost === undefined) await cutBack(null);
    },
  };
}
