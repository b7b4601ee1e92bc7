import { CompactionError } from '@palimpsest/core';
import { StoreError } from '@palimpsest/store';

/** What to branch on. The first four are mistakes of the caller; `exitCodeOf` sorts them all. */
export type AgentCode =
  | 'bad-option'
  | 'window-unknown'
  | 'no-key'
  | 'no-session'
  /** What a provider answered instead of a message. */
  | 'auth'
  | 'quota'
  | 'refused'
  | 'overflow'
  | 'rate-limited'
  | 'overloaded'
  | 'server'
  /** The provider was not reached, or the line broke. */
  | 'unreachable'
  | 'broken-stream'
  | 'empty-answer'
  | 'cannot-write';

/** What else a provider said about its failure. */
export interface AboutAgentError {
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** Of an overflow: the window and the size, where the provider stated them. */
  readonly maximum?: number;
  readonly actual?: number;
  readonly cause?: unknown;
}

/** Something the agent cannot do, in one line that says what to do about it. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentCode;
  /** The same request may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly maximum?: number;
  readonly actual?: number;

  constructor(code: AgentCode, message: string, about: AboutAgentError = {}) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    this.retryable = about.retryable === true;
    if (about.retryAfterMs !== undefined) this.retryAfterMs = about.retryAfterMs;
    if (about.maximum !== undefined) this.maximum = about.maximum;
    if (about.actual !== undefined) this.actual = about.actual;
  }
}

/** What the process answers its caller with. The last ones as shells say it: 128 and the signal. */
export const EXIT = {
  done: 0,
  failed: 1,
  misused: 2,
  refused: 3,
  unreachable: 4,
  disk: 5,
  hungUp: 129,
  interrupted: 130,
  pipeClosed: 141,
} as const;

const MISUSE: readonly string[] = ['bad-option', 'window-unknown', 'no-key', 'no-session'];
const REFUSED: readonly string[] = ['auth', 'quota', 'refused'];
const AWAY: readonly string[] = ['rate-limited', 'overloaded', 'server', 'unreachable', 'broken-stream'];

/** The code of `EXIT` that a process should end with, for errors of the agent, the store and the engine. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof StoreError)
    return ['bad-id', 'bad-option', 'not-found'].includes(error.code) ? EXIT.misused : EXIT.disk;
  if (error instanceof CompactionError) {
    if (error.code === 'journal-failed') return EXIT.disk;
    return MISUSE.includes(error.code) ? EXIT.misused : EXIT.failed;
  }
  if (!(error instanceof AgentError)) return EXIT.failed;
  if (MISUSE.includes(error.code)) return EXIT.misused;
  if (REFUSED.includes(error.code)) return EXIT.refused;
  return AWAY.includes(error.code) ? EXIT.unreachable : EXIT.failed;
}

/** What a process ends with whose output cannot be written; a pipe that nobody reads any more needs no words. */
export const lostOutput = ({
  code,
  message,
}: NodeJS.ErrnoException): { readonly code: number; readonly why?: string } =>
  code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
    ? { code: EXIT.pipeClosed }
    : { code: EXIT.disk, why: `the output could not be written: ${message}` };

export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** One line about what went wrong; the cause of a failed journal says more than the failure. */
export function explain(error: unknown): string {
  if (error instanceof CompactionError && error.code === 'journal-failed' && error.cause instanceof Error)
    return `the session could not be saved: ${error.cause.message}. What was saved before stays whole.`;
  return error instanceof Error ? error.message : String(error);
}
