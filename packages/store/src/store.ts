import type { Journal, JournalRecord, Stash } from '@palimpsest/core';

/** What to do while another writer has the session. */
export interface OpenOptions {
  /** How long to wait for another writer to leave. 0, the default: not at all. `Infinity`: until `signal` says otherwise. */
  readonly waitMs?: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** A session open for writing. Nobody else can write to it until `journal.close()`. */
export interface StoredSession {
  readonly id: string;
  /** What the journal held when it was opened: pass it on as the `records` of a session. */
  readonly records: readonly JournalRecord[];
  /** The session's `journal`. Close it when done. */
  readonly journal: Journal;
  /** For the session's `ports`. */
  readonly stash: Stash;
  /**
   * Lets others have the session while nothing is written here, once `last` is done: what that appends goes on the way. The
   * next append takes the session back. Where another writer has it by then, or wrote to it, that is a `conflict`, and
   * nothing is written here any more.
   */
  rest(last?: () => Promise<void>): Promise<void>;
  /** A crash had left half a record at the end; its bytes now lie in `keptAt`. */
  readonly repaired?: { readonly droppedBytes: number; readonly keptAt: string };
}

/** A session as it stood at a moment, perhaps while another process writes to it. */
export interface SessionSnapshot {
  readonly id: string;
  readonly records: readonly JournalRecord[];
  readonly stash: Pick<Stash, 'get'>;
}

/** What a list of sessions shows, without reading them. */
export interface SessionInfo {
  readonly id: string;
  /** Of the journal; stashed texts do not count. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** Which sessions a list is to have. */
export interface ListOptions {
  /** Only those whose ids begin so. */
  readonly prefix?: string;
}

/**
 * Where sessions live. What every store promises is written down as `storeContract` in `@palimpsest/store/testing`.
 * An append that fails takes every append queued behind it along, so no record ever stands without those before it.
 */
export interface Store {
  /** Creates the session or loads it. */
  open(id: string, options?: OpenOptions): Promise<StoredSession>;
  /** Looks without taking the lock: for those who show or search sessions that others write. */
  read(id: string): Promise<SessionSnapshot>;
  /** Last modified first. With a prefix it costs what those cost that have it, as far as the place where they lie allows. */
  list(options?: ListOptions): Promise<readonly SessionInfo[]>;
  /**
   * Deletes a session with its records and the texts that only it has. Does nothing where it is not there; one that is open
   * is `locked`. A writer that rests gets a `conflict` from then on and writes nothing back.
   */
  delete(id: string): Promise<void>;
}
