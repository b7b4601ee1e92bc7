import { CompactionError } from '../errors.ts';
import { headEnd } from '../ledger/excerpt.ts';
import type { Clock } from './summarizer.ts';

/** How long a port may take for an answer; the summarizer has `PATIENCE.deadlineMs`, the journal `JOURNAL_LIMIT_MS`. */
export const ANSWER_LIMIT_MS = 10_000;

/** What ends the waiting for an answer. */
export interface Waiting {
  /** Without it there is no limit. */
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Rejects when `signal` is aborted, where many wait under one: a signal with many listeners is taken for a leak. */
  readonly aborted?: Promise<never> | undefined;
  readonly limitMs: number;
  /** Told of an answer that is not waited for any more, and that has not come. */
  readonly onLeft?: ((answer: Promise<unknown>) => void) | undefined;
}

/**
 * The answer, where it comes in time; else rejects with `timed-out`, or with the signal's reason as soon as that is
 * aborted. Whatever comes later is not heard. `ask` is handed a signal that is aborted once nobody waits any more.
 */
export async function awaitAnswer<Answer>(
  ask: (signal: AbortSignal) => Answer | PromiseLike<Answer>,
  { clock, signal, aborted, limitMs, onLeft }: Waiting,
): Promise<Answer> {
  signal?.throwIfAborted();
  const left = new AbortController();
  const answer = (async () => ask(left.signal))();
  let isOpen = true;
  const close = (): void => {
    isOpen = false;
  };
  answer.then(close, close);
  const over = new AbortController();
  try {
    const ends: Promise<never>[] = [];
    if (aborted !== undefined) ends.push(aborted);
    else if (signal !== undefined) ends.push(rejectOnAbort(signal, over.signal));
    if (clock !== undefined) ends.push(rejectLate(clock, limitMs, over.signal));
    return await Promise.race([answer, ...ends]);
  } catch (error) {
    if (isOpen) {
      left.abort(error);
      onLeft?.(answer);
    }
    throw error;
  } finally {
    over.abort();
  }
}

/** Rejects with the signal's reason as soon as that is aborted, unless it is `over` before. */
export const rejectOnAbort = (signal: AbortSignal, over: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over });
    // `ask` itself may have aborted it.
    if (signal.aborted) reject(signal.reason);
  });

async function rejectLate(clock: Clock, limitMs: number, over: AbortSignal): Promise<never> {
  await clock.wait(limitMs, over);
  throw new CompactionError('timed-out', `no answer within ${limitMs} ms`);
}

/** The most characters of an error that are kept: a journal is no place for what a server wrote in its anger. */
const WHY_CHARS = 500;

/** What an error says, whatever was thrown. */
export function wordsOfError(error: unknown): string {
  let words: unknown;
  try {
    words = (error as { message?: unknown } | null)?.message ?? String(error);
  } catch {
    words = undefined;
  }
  const said = typeof words === 'string' && words !== '' ? words : 'an error without words';
  return said.length <= WHY_CHARS ? said : `${said.slice(0, headEnd(said, WHY_CHARS))}…`;
}

/** The code of what was thrown, where it has one. */
export const codeOfError = (error: unknown): string => {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : 'failed';
};
