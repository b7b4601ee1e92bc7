import type { SessionRecord } from '../../recording/recording.ts';
import { retellSession } from '../retell-session.ts';
import { isoTime, isTime } from '../timestamp.ts';
import { newBook } from './book.ts';

/** What the first line of pi's file says; by default what the session says of itself. */
export interface PiOptions {
  readonly sessionId?: string;
  readonly cwd?: string;
}

/**
 * The session as pi (version 3) records its own: a chain of entries by parentId, a compaction entry that names the first
 * kept one. What its format cannot say stands beside it, under `palimpsest`.
 */
export function writePi(session: SessionRecord, options: PiOptions = {}): string {
  const sessionId = options.sessionId ?? session.id ?? 'session';
  const book = newBook(session, sessionId);
  retellSession(session, book);
  const head = {
    type: 'session',
    version: 3,
    id: sessionId,
    timestamp: isoTime(session.messages.find((message) => isTime(message.at))?.at, 0),
    cwd: options.cwd ?? session.cwd ?? '',
  };
  return [head, ...book.entries].map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
