import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OpenOptions, StoreError } from '@palimpsest/store';
import { isOver, type ProcessIdentity, readOwnIdentity } from '@palimpsest/store/authors';
import type { Tables } from './tables.ts';

/**
 * The right to write a session. Every statement that changes the session names the fence; whoever takes the session over sets
 * another one, so a writer that lost it cannot do harm, however late it notices.
 */
export interface Lease {
  readonly fence: string;
  /** How many records the session had when it was taken, and their bytes. */
  readonly head: number;
  readonly bytes: number;
  /** Microseconds since 1970, when the session came into being: tells it from a later one of its name. */
  readonly born: string;
}

const POLL_MS = { first: 5, most: 200 };

interface Claim {
  readonly fence: string;
  readonly owner: ProcessIdentity | undefined;
  readonly leftMs: number;
}

type Attempt = { readonly won: Lease } | { readonly lost: Claim | undefined };

function readOwner(text: unknown): ProcessIdentity | undefined {
  try {
    const owner = JSON.parse(String(text)) as Partial<ProcessIdentity> | null;
    return Number.isSafeInteger(owner?.pid) && typeof owner?.host === 'string' ? (owner as ProcessIdentity) : undefined;
  } catch {
    return undefined;
  }
}

/** `/proc` tells boots apart; without it two machines of one name would judge each other's processes. */
const bootOf = ({ born }: ProcessIdentity): string | undefined => born?.split(':')[0];

/** Whether the holder ran on this very machine and ended: then nobody has to wait for its lease to lapse. */
const hasDied = (owner: ProcessIdentity, me: ProcessIdentity): boolean =>
  owner.place === me.place && bootOf(owner) !== undefined && bootOf(owner) === bootOf(me) && isOver(owner);

/** As a text, which loses nothing on its way. */
export const BORN = '(extract(epoch from created_at) * 1000000)::bigint::text';

/** All times are the server's, so clocks of machines may differ. */
const takeText = ({ quoted }: Tables): string => `
  insert into ${quoted}.session as s (tenant, id, fence, lease_owner, lease_until)
  values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond')
  on conflict (tenant, id) do update
  set fence = excluded.fence, lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
  where s.fence is null or s.lease_until < clock_timestamp() or s.fence = excluded.fence or s.fence = $6
  returning head_seq, bytes, ${BORN} as born`;

const holderText = ({ quoted }: Tables): string => `
  select fence, lease_owner, extract(epoch from lease_until - clock_timestamp())::float8 * 1000 as left_ms
  from ${quoted}.session where tenant = $1 and id = $2`;

/** With `dead`, a claim whose holder is known to have ended counts as none. The same `fence` may be tried any number of times. */
async function attemptLease(
  tables: Tables,
  name: string,
  fence: string,
  dead: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const { tenant, leaseMs } = tables;
  const owner = JSON.stringify(readOwnIdentity());
  const [taken, holder] = await tables.database.run(
    [
      { text: takeText(tables), values: [tenant, name, fence, owner, leaseMs, dead ?? null] },
      { text: holderText(tables), values: [tenant, name] },
    ],
    { doing: 'opening the session', signal },
  );
  const row = taken?.rows[0];
  if (row !== undefined)
    return { won: { fence, head: Number(row.head_seq), bytes: Number(row.bytes), born: String(row.born) } };
  const claim = holder?.rows[0];
  if (typeof claim?.fence !== 'string') return { lost: undefined };
  return { lost: { fence: claim.fence, owner: readOwner(claim.lease_owner), leftMs: Number(claim.left_ms) } };
}

async function dropLease({ database, tenant, quoted }: Tables, name: string, fence: string): Promise<void> {
  const text = `update ${quoted}.session set fence = null, lease_owner = null, lease_until = null
    where tenant = $1 and id = $2 and fence = $3`;
  await database.run([{ text, values: [tenant, name, fence] }], { doing: 'closing', once: true }).catch(() => {});
}

function lockedError(id: string, { owner, leftMs }: Claim, waitMs: number): StoreError {
  const who = owner === undefined ? 'another writer' : `process ${owner.pid} on ${owner.host}`;
  return new StoreError(
    'locked',
    `session "${id}" is held by ${who}${waitMs > 0 ? ` and was not free within ${waitMs} ms` : ''}. Close it there, or open with \`waitMs\`; if the holder is gone, the session is free in ${Math.max(1, Math.ceil(leftMs / 1000))} s.`,
    owner === undefined ? {} : { holder: { pid: owner.pid, host: owner.host } },
  );
}

/** Takes the session, which comes into being with it, or waits for it as `options` say. */
export async function takeLease(
  tables: Tables,
  id: string,
  name: string,
  { waitMs = 0, signal }: OpenOptions,
): Promise<Lease> {
  if (!(waitMs >= 0)) throw new StoreError('bad-option', '`waitMs` must be a number of 0 or more');
  const me = readOwnIdentity();
  const until = performance.now() + waitMs;
  const fence = randomUUID();
  let dead: string | undefined;
  for (let pauseMs = POLL_MS.first; ; pauseMs = Math.min(pauseMs * 1.5, POLL_MS.most)) {
    signal?.throwIfAborted();
    const tried = await attemptLease(tables, name, fence, dead, signal).catch((error: unknown) => {
      // The server may have heard it: nobody should wait for a lease that nobody has.
      void dropLease(tables, name, fence);
      throw error;
    });
    if ('won' in tried) return tried.won;
    const { lost } = tried;
    // Given back between the two statements, or its holder ended: free at once.
    if (lost === undefined) continue;
    if (lost.fence !== dead && lost.owner !== undefined && hasDied(lost.owner, me)) {
      dead = lost.fence;
      continue;
    }
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw lockedError(id, lost, waitMs);
    // Waiters that started together must not try together for ever.
    const restMs = Math.min(leftMs, pauseMs * (0.5 + Math.random()));
    await sleep(restMs, undefined, signal && { signal }).catch(() => {});
  }
}
