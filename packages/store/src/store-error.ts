/** What to branch on. `locked` may pass by itself, `disk-full` once there is room; what is `corrupt` stays so. */
export type StoreCode =
  /** The id cannot name a session. */
  | 'bad-id'
  | 'bad-option'
  /** The record could not be read back; nothing was written. */
  | 'bad-record'
  | 'not-found'
  /** Another writer holds the session. */
  | 'locked'
  /** The session was taken over or its file was changed under this writer; nothing was written over it. */
  | 'conflict'
  | 'corrupt'
  | 'unsupported-version'
  | 'disk-full'
  | 'io'
  /** The server behind the store cannot be reached or is too slow, for longer than was waited; it may pass by itself. */
  | 'unavailable'
  /** The server does not let this user in, or not do what was asked; somebody has to change that. */
  | 'denied'
  | 'closed';

/** The writer that holds a session: its process, and the machine it runs on. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** What the error is about, as far as it is known. */
export interface AboutStoreError {
  readonly file?: string;
  readonly line?: number;
  readonly offset?: number;
  readonly holder?: Holder;
  readonly cause?: unknown;
}

/** The store could not do what was asked. The message says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreCode;
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Where the line begins, in bytes. */
  readonly offset?: number;
  /** Who has the session, where the code is `locked`. */
  readonly holder?: Holder;

  constructor(code: StoreCode, message: string, about: AboutStoreError = {}) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    if (about.file !== undefined) this.file = about.file;
    if (about.line !== undefined) this.line = about.line;
    if (about.offset !== undefined) this.offset = about.offset;
    if (about.holder !== undefined) this.holder = about.holder;
  }
}

export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

// EFBIG is the process's own file-size limit: like a full disk, it is cured by making room.
const FULL: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** What the operating system said, as the store's own error; a StoreError passes unchanged. */
export function toStoreError(error: unknown, doing: string, file: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = errnoOf(error);
  const why = error instanceof Error ? error.message : String(error);
  return FULL.includes(code)
    ? new StoreError('disk-full', `no room left while ${doing} ${file} (${code}): make room and try again`, {
        file,
        cause: error,
      })
    : new StoreError('io', `${doing} ${file} failed (${why}): check the disk and the permissions, then try again`, {
        file,
        cause: error,
      });
}
