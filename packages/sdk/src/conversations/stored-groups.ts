import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLoop, Session } from '@palimpsest/core';
import type { ConversationStore, ListedConversation, Unread } from './keep-options.ts';
import type { OpenNames } from './open-names.ts';
import type { Owner } from './reading.ts';
import { groupName } from './stored-name.ts';
import { newStoredReader } from './stored-reader.ts';

/** What the store has of a group besides what is at hand, the newest first. */
export interface StoredGroup {
  readonly sessions: readonly Session[];
  readonly unread: readonly Unread[];
}

export interface StoredGroups {
  /** Never rejects: what cannot be read is told. */
  read(owner: Owner): Promise<StoredGroup>;
}

/** How much is read for one lookup, how much of it stays at hand, and how long the store is waited for. */
export interface GroupLimits {
  readonly conversations: number;
  /** Of their journals. A search goes through all of it at once: 4 ms for a megabyte. */
  readonly bytes: number;
  readonly heldBytes: number;
  readonly patienceMs: number;
}

const LIMITS: GroupLimits = {
  conversations: 256,
  bytes: 32 * 2 ** 20,
  heldBytes: 64 * 2 ** 20,
  patienceMs: 2_000,
};

/** Where a store does not tell how large they are. */
const USUAL_BYTES = 2 ** 20;
const AT_ONCE = 8;

export const NOTHING_STORED: StoredGroup = { sessions: [], unread: [] };

export function newStoredGroups(
  storeOf: (tenant: string) => ConversationStore | undefined,
  names: OpenNames,
  loop: EventLoop,
  limits: GroupLimits = LIMITS,
): StoredGroups {
  const reader = newStoredReader(limits.heldBytes, loop);

  async function listOthers(owner: Owner): Promise<readonly ListedConversation[]> {
    const store = storeOf(owner.tenant);
    if (store?.list === undefined || store.read === undefined) return [];
    const prefix = groupName(owner);
    // One that was just evicted may still be closing.
    await names.whenClosed(prefix);
    const listed = await store.list({ prefix });
    return listed.filter(({ id }) => !names.isOpen(id));
  }

  const readOne = async ({ tenant }: Owner, one: ListedConversation): Promise<Session | undefined> => {
    const store = storeOf(tenant);
    return store === undefined ? undefined : reader.read(store, tenant, one);
  };

  return {
    async read(owner) {
      const wait = startWait(limits.patienceMs);
      try {
        const listed = await wait.until(listOthers(owner));
        if (typeof listed === 'string') return { sessions: [], unread: [{ type: listed, conversations: undefined }] };
        const chosen = chooseNewest(listed, limits);
        const got: (Session | undefined | Missed)[] = [];
        for (let at = 0; at < chosen.length; at += AT_ONCE) {
          const some = chosen.slice(at, at + AT_ONCE);
          // Nothing more is asked of a store that has not answered yet.
          const isTried = (one: ListedConversation): boolean => !wait.isOver() || reader.hasRead(owner.tenant, one);
          got.push(
            ...(await Promise.all(some.map((one) => (isTried(one) ? wait.until(readOne(owner, one)) : 'slow')))),
          );
        }
        const large = Array.from({ length: listed.length - chosen.length }, () => 'large' as const);
        return {
          sessions: got.filter((one) => typeof one === 'object'),
          unread: countUnread([...got.filter((one) => typeof one === 'string'), ...large]),
        };
      } finally {
        wait.end();
      }
    },
  };
}

type Missed = 'failed' | 'slow';

/** The newest that fit; one that is too large does not stand in the way of others. */
function chooseNewest(
  listed: readonly ListedConversation[],
  { conversations, bytes: most }: GroupLimits,
): readonly ListedConversation[] {
  let left = most;
  return listed
    .filter(({ bytes = USUAL_BYTES }) => {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    })
    .slice(0, conversations);
}

const countUnread = (missed: readonly Unread['type'][]): readonly Unread[] =>
  [...new Set(missed)].map((type) => ({ type, conversations: missed.filter((one) => one === type).length }));

/** A wait that all share. What comes too late goes on by itself. */
function startWait(patienceMs: number) {
  const ended = new AbortController();
  let isOver = false;
  const late = sleep(patienceMs, undefined, { signal: ended.signal, ref: false }).then(
    () => {
      isOver = true;
      return 'slow' as const;
    },
    () => 'slow' as const,
  );
  return {
    isOver: () => isOver,
    until: <Result>(work: Promise<Result>): Promise<Result | Missed> =>
      Promise.race([work.catch(() => 'failed' as const), late]),
    end: () => ended.abort(),
  };
}
