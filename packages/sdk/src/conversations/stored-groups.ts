import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '@palimpsest/core';
import type { ConversationStore, ListedConversation, Unread } from './keep-options.ts';
import type { OpenNames } from './open-names.ts';
import type { Owner } from './reading.ts';
import { groupName } from './stored-name.ts';
import { newStoredReader, versionOf } from './stored-reader.ts';

/** What the store has of a group besides what is known at hand, the newest first. */
export interface StoredGroup {
  readonly sessions: readonly Session[];
  readonly unread: readonly Unread[];
}

/** The conversations of a group that are at hand, by their names in the store. */
export type AtHand = ReadonlyMap<string, Session>;

export interface StoredGroups {
  /**
   * Without the conversation that is called `own`, and without those at hand that have all that is stored: on another gateway more
   * may have been said in them. Never rejects: what cannot be read is told.
   */
  read(owner: Owner, own: string | undefined, atHand: AtHand): Promise<StoredGroup>;
  /** Nothing of these names stays at hand. */
  forget(tenant: string, prefix: string): void;
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
  heldBytes: 32 * 2 ** 20,
  patienceMs: 2_000,
};

/** Where a store does not tell how large they are. */
const USUAL_BYTES = 2 ** 20;
/** Small ones are asked for together, so that not each of them waits for the store; what large ones bring would come in one piece. */
const AT_ONCE = { conversations: 8, bytes: 2 ** 18 };

export const NOTHING_STORED: StoredGroup = { sessions: [], unread: [] };

export function newStoredGroups(
  storeOf: (tenant: string) => ConversationStore | undefined,
  names: OpenNames,
  limits: GroupLimits = LIMITS,
): StoredGroups {
  const reader = newStoredReader(limits.heldBytes);
  /** As it was stored when a session at hand had all of it. */
  const matched = new WeakMap<Session, string>();

  async function listOthers(owner: Owner): Promise<readonly ListedConversation[]> {
    const store = storeOf(owner.tenant);
    if (store?.list === undefined || store.read === undefined) return [];
    const prefix = groupName(owner);
    // One that was just evicted may still be closing.
    await names.whenClosed(prefix);
    return store.list({ prefix });
  }

  const isMatched = (live: Session | undefined, one: ListedConversation): boolean =>
    live !== undefined && matched.get(live) === (versionOf(one) ?? 'never');

  /** The stored one where it has more than the one at hand; that serves in any case. */
  function takeLonger(live: Session, one: ListedConversation, read: Session | undefined | Missed): Session | undefined {
    if (typeof read !== 'object') return undefined;
    if (read.transcript().length > live.transcript().length) return read;
    const version = versionOf(one);
    if (version !== undefined) matched.set(live, version);
    return undefined;
  }

  const readOne = async ({ tenant }: Owner, one: ListedConversation): Promise<Session | undefined> => {
    const store = storeOf(tenant);
    return store === undefined ? undefined : reader.read(store, tenant, one);
  };

  return {
    forget: reader.forget,
    async read(owner, own, atHand) {
      const wait = startWait(limits.patienceMs);
      try {
        const all = await wait.until(listOthers(owner));
        if (typeof all === 'string') return { sessions: [], unread: [{ type: all, conversations: undefined }] };
        const listed = all.filter((one) => one.id !== own && !isMatched(atHand.get(one.id), one));
        const chosen = chooseNewest(listed, limits);
        const got = new Map<string, Session | undefined | Unread['type']>(
          listed.map(({ id }) => [id, atHand.has(id) ? undefined : 'large']),
        );
        for (const some of cutRuns(chosen))
          await Promise.all(
            some.map(async (one) => {
              // Nothing more is asked of a store that has not answered yet.
              const isTried = !wait.isOver() || reader.hasRead(owner.tenant, one);
              const read = isTried ? await wait.until(readOne(owner, one)) : 'slow';
              const live = atHand.get(one.id);
              got.set(one.id, live === undefined ? read : takeLonger(live, one, read));
            }),
          );
        const outcomes = [...got.values()];
        return {
          sessions: outcomes.filter((one) => typeof one === 'object'),
          unread: countUnread(outcomes.filter((one) => typeof one === 'string')),
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

/** What is asked for at once: small ones together, large ones alone. */
function cutRuns(chosen: readonly ListedConversation[]): readonly (readonly ListedConversation[])[] {
  const runs: ListedConversation[][] = [];
  let left = 0;
  for (const one of chosen) {
    const { bytes = USUAL_BYTES } = one;
    const run = runs.at(-1);
    if (run === undefined || bytes > left || run.length === AT_ONCE.conversations) {
      runs.push([one]);
      left = AT_ONCE.bytes - bytes;
    } else {
      run.push(one);
      left -= bytes;
    }
  }
  return runs;
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
