import type { Tables } from './tables.ts';

/** The sessions that a store has open. Their leases are renewed together, by one statement, for as long as there are any. */
export interface HeldSessions {
  add(fence: string, name: string): void;
  remove(fence: string): void;
}

/** A lease is renewed so many times before it would lapse. */
const BEATS = 3;

export function heldSessions(tables: Tables): HeldSessions {
  const names = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;

  const renew = (): void => {
    const values = [tables.tenant, [...names.values()], [...names.keys()], tables.leaseMs];
    // One that fails is made up by the next; a session that was taken over meanwhile is not touched.
    tables.database
      .run([{ text: renewText(tables), values }], { doing: 'renewing leases', once: true })
      .catch(() => {});
  };

  return {
    add(fence, name) {
      names.set(fence, name);
      timer ??= setInterval(renew, tables.leaseMs / BEATS).unref();
    },
    remove(fence) {
      names.delete(fence);
      if (names.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}

const renewText = ({ quoted }: Tables): string => `
  update ${quoted}.session s set lease_until = clock_timestamp() + $4 * interval '1 millisecond'
  from unnest($2::text[], $3::uuid[]) as held (id, fence)
  where s.tenant = $1 and s.id = held.id and s.fence = held.fence`;
