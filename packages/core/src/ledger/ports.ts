import type { Message } from '../message/message.ts';
import type { Entry } from './ledger.ts';

/** One line of a stored session. `v` is the record's version; a reader refuses a version it does not know. */
export type JournalRecord =
  /** Whose records these are. A later one may name another preset: which layers the host leads this session through from then on. */
  | { readonly v: 1; readonly type: 'session'; readonly id: string; readonly at?: number; readonly preset?: string }
  | { readonly v: 1; readonly type: 'message'; readonly message: Message }
  | { readonly v: 1; readonly type: 'entry'; readonly entry: Entry };

/**
 * Where a session's records go. `append` resolves when the records are as durable as the store promises, in order. It is
 * called again only once it has answered; one that takes longer than 30 s fails the view that waits for it, not the records.
 */
export interface Journal {
  /** Where a person or an agent can read the records, such as a file's path; none where nobody can. */
  readonly location?: string | undefined;
  append(records: readonly JournalRecord[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Where large texts go. `put` is idempotent: the same text has the same reference. Its signal is aborted once nobody waits
 * for the reference any more.
 */
export interface Stash {
  put(text: string, options?: { readonly signal?: AbortSignal }): Promise<string>;
  get(ref: string): Promise<string | undefined>;
  /** Where a text lies that was put, in words that a model's own tools can follow, such as a file's path. */
  locate?(ref: string): string | undefined;
}
