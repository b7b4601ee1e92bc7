import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalRecord } from '@palimpsest/core';
import { encodeRecord } from './journal/journal-line.ts';
import { encodeSessionName } from './session-name.ts';
import { decodeText, encodeText } from './stash/stash-ref.ts';
import type { OpenOptions, Store, StoredSession } from './store.ts';
import { StoreError } from './store-error.ts';

interface Shelf {
  /** As JSON: what a caller later does to its objects changes nothing here. */
  readonly bodies: string[];
  readonly texts: Map<string, Buffer>;
  bytes: number;
  modifiedAt: number;
  /** No store knows it any more; writers and those that wait for it still hold it. */
  isDeleted: boolean;
  /** Settles when the present writer leaves. */
  writer?: Promise<void>;
}

/** Sessions that live as long as the process: for tests, and for hosts that keep nothing. */
export function memoryStore(): Store {
  const shelves = new Map<string, Shelf>();

  const findShelf = (id: string): Shelf => {
    encodeSessionName(id);
    const found = shelves.get(id);
    if (found !== undefined) return found;
    const made: Shelf = { bodies: [], texts: new Map(), bytes: 0, modifiedAt: Date.now(), isDeleted: false };
    shelves.set(id, made);
    return made;
  };

  return {
    async open(id, options = {}) {
      for (;;) {
        const shelf = findShelf(id);
        const leave = await enter(shelf, id, options);
        if (!shelf.isDeleted) return openShelf(shelf, id, leave);
        leave();
      }
    },

    async read(id) {
      encodeSessionName(id);
      const shelf = shelves.get(id);
      if (shelf === undefined)
        throw new StoreError('not-found', `there is no session "${id}": see list() for those there are`);
      return { id, records: readRecords(shelf), stash: { get: getFrom(shelf) } };
    },

    async list({ prefix = '' } = {}) {
      return [...shelves]
        .filter(([id]) => id.startsWith(prefix))
        .map(([id, { bytes, modifiedAt }]) => ({ id, bytes, modifiedAt }))
        .sort((a, b) => b.modifiedAt - a.modifiedAt || (a.id < b.id ? -1 : 1));
    },

    async delete(id) {
      encodeSessionName(id);
      const shelf = shelves.get(id);
      if (shelf === undefined) return;
      if (shelf.writer !== undefined) throw lockedError(id);
      shelf.isDeleted = true;
      shelves.delete(id);
    },
  };
}

const readRecords = (shelf: Shelf) => shelf.bodies.map((body) => JSON.parse(body) as JournalRecord);

const getFrom = (shelf: Shelf) => async (ref: string) => {
  const bytes = shelf.texts.get(ref);
  return bytes && decodeText(ref, bytes);
};

/** A session for the writer that entered. */
function openShelf(shelf: Shelf, id: string, wayOut: () => void): StoredSession {
  let leave: (() => void) | undefined = wayOut;
  let closed = false;
  let isLost = false;
  let count = shelf.bodies.length;
  const rest = (): void => {
    leave?.();
    leave = undefined;
  };
  return {
    id,
    records: readRecords(shelf),
    journal: {
      async append(records) {
        if (closed)
          throw new StoreError('closed', `session "${id}" was closed by this writer: open it again to append`);
        const bodies = records.map(encodeRecord);
        if (bodies.length === 0) return;
        isLost ||=
          shelf.isDeleted || (leave === undefined && (shelf.writer !== undefined || count !== shelf.bodies.length));
        if (isLost) throw takenError(id);
        leave ??= occupy(shelf);
        for (const body of bodies) {
          shelf.bodies.push(body);
          shelf.bytes += Buffer.byteLength(body) + 1;
        }
        shelf.modifiedAt = Date.now();
        count = shelf.bodies.length;
      },
      async close() {
        if (closed) return;
        closed = true;
        rest();
      },
    },
    async rest(last) {
      await last?.();
      rest();
    },
    stash: {
      async put(text) {
        if (shelf.isDeleted) throw takenError(id);
        const { ref, bytes } = encodeText(text);
        shelf.texts.set(ref, bytes);
        return ref;
      },
      get: getFrom(shelf),
    },
  };
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves to the way out. The look at the shelf and the entry are one step: two who waited cannot both get in. */
async function enter(shelf: Shelf, id: string, { waitMs = 0, signal }: OpenOptions): Promise<() => void> {
  if (!(waitMs >= 0)) throw new StoreError('bad-option', '`waitMs` must be a number of 0 or more');
  signal?.throwIfAborted();
  const until = performance.now() + waitMs;
  while (shelf.writer !== undefined) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw lockedError(id);
    const over = new AbortController();
    const ended = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
    const timer = sleep(Math.min(leftMs, LONGEST_TIMER_MS), undefined, { signal: ended }).catch(() => {});
    await Promise.race([shelf.writer, timer]);
    over.abort();
    signal?.throwIfAborted();
  }
  return occupy(shelf);
}

/** From now on somebody writes to it, until the way out is taken. */
function occupy(shelf: Shelf): () => void {
  let free = (): void => {};
  shelf.writer = new Promise((resolve) => {
    free = resolve;
  });
  return () => {
    delete shelf.writer;
    free();
  };
}

const lockedError = (id: string): StoreError =>
  new StoreError(
    'locked',
    `session "${id}" is open in this process (${process.pid}): close its journal, or open with \`waitMs\``,
    { holder: { pid: process.pid, host: hostname() } },
  );

const takenError = (id: string): StoreError =>
  new StoreError(
    'conflict',
    `session "${id}" is no longer this writer's: another had it while it rested, or it was deleted. Nothing was written; open it again.`,
  );
