// What authors of other stores need, so that every store names, checks and orders things alike.
export { type AppendQueue, appendQueue } from './journal/append-queue.ts';
export { decodeBody, encodeRecord } from './journal/journal-line.ts';
export type { LineAppender } from './journal/line-appender.ts';
export { isOver, type ProcessIdentity, readOwnIdentity } from './lock/process-identity.ts';
export { decodeSessionName, encodeSessionName } from './session-name.ts';
export { decodeText, encodeText, isStashRef } from './stash/stash-ref.ts';
