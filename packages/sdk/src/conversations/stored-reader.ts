import { createSession, type Session } from '@palimpsest/core';
import { asFields } from '@palimpsest/core/json';
import type { ConversationStore, ListedConversation } from './keep-options.ts';

/** Stored conversations as sessions that are read and searched, and never written to. */
export interface StoredReader {
  /** Undefined: it was deleted since it was listed. Rejects where the store does. */
  read(store: ConversationStore, tenant: string, listed: ListedConversation): Promise<Session | undefined>;
  /** Whether it was asked for before, as it stands now: reading it costs the store nothing. */
  hasRead(tenant: string, listed: ListedConversation): boolean;
  /** Those whose names begin so are not at hand any more. */
  forget(tenant: string, prefix: string): void;
}

interface Held {
  readonly version: string;
  readonly bytes: number;
  readonly session: Promise<Session | undefined>;
}

/** Nothing is walked in it. */
const NO_WINDOW = Number.MAX_SAFE_INTEGER;

/** The last that were asked for stay at hand, so many bytes of journals: a model looks up more than once. */
export function newStoredReader(mostBytes: number): StoredReader {
  const held = new Map<string, Held>();
  let heldBytes = 0;
  const keyOf = (tenant: string, { id }: ListedConversation): string => JSON.stringify([tenant, id]);

  function drop(key: string): void {
    heldBytes -= held.get(key)?.bytes ?? 0;
    held.delete(key);
  }

  function hold(key: string, one: Held): void {
    drop(key);
    held.set(key, one);
    heldBytes += one.bytes;
    for (const oldest of held.keys()) {
      if (heldBytes <= mostBytes) return;
      drop(oldest);
    }
  }

  return {
    hasRead(tenant, listed) {
      const version = versionOf(listed);
      return version !== undefined && held.get(keyOf(tenant, listed))?.version === version;
    },
    forget(tenant, prefix) {
      const beginning = keyOf(tenant, { id: prefix }).slice(0, -'"]'.length);
      for (const key of [...held.keys()]) if (key.startsWith(beginning)) drop(key);
    },
    read(store, tenant, listed) {
      const [key, version] = [keyOf(tenant, listed), versionOf(listed)];
      const known = held.get(key);
      const isKnown = known !== undefined && known.version === version;
      const session = isKnown ? known.session : load(store, listed.id);
      if (version === undefined) return session;
      hold(key, { version, bytes: listed.bytes ?? 0, session });
      // What failed once is tried again.
      session.catch(() => held.get(key)?.session === session && drop(key));
      return session;
    },
  };
}

/** A journal only grows. One of which nobody tells how much there is is read anew each time. */
export const versionOf = ({ bytes, modifiedAt }: ListedConversation): string | undefined =>
  bytes === undefined ? undefined : `${bytes} ${modifiedAt ?? ''}`;

async function load(store: ConversationStore, name: string): Promise<Session | undefined> {
  const snapshot = await store.read?.(name).catch(ignoreMissing);
  if (snapshot === undefined) return undefined;
  return createSession({ window: NO_WINDOW, records: snapshot.records });
}

function ignoreMissing(error: unknown): undefined {
  if (asFields(error).code !== 'not-found') throw error;
}
