import { createSession, type JournalRecord, type Message } from '@palimpsest/core';
import { asFields } from '@palimpsest/core/json';
import type { Beginning, Kept } from './conversation-state.ts';
import type { ConversationStore } from './keep-options.ts';
import { measureShared } from './measure-shared.ts';
import { traceMessages } from './message-trace.ts';
import type { Reading } from './reading.ts';
import { beginningName, firstName } from './stored-name.ts';

/**
 * How long one that another process has open is waited for. Between two turns that takes no longer than writing down the last
 * answer's usage; a turn under way takes longer, and is gone past.
 */
const HANDOVER_MS = 250;

/** So many of one beginning are looked at, the newest first. */
const MOST_READ = 8;

/** A stored conversation that a request goes on from, or leaves at some place. */
export interface FoundStored {
  readonly name: string;
  readonly beginning: Beginning;
  /** So many of the request's messages stand in it. */
  readonly depth: number;
  /** The right to write on in it, where the request has all of it and nobody else has that right. */
  readonly kept?: Kept;
}

/**
 * The stored conversation that shares most with a request, if it is more than `atLeast` messages. What another process goes on
 * writing to is read, and the request goes its own way from there.
 */
export async function findStored(
  store: ConversationStore,
  reading: Reading<unknown>,
  atLeast: number,
  isLive: (name: string) => boolean,
): Promise<FoundStored | undefined> {
  const prefix = beginningName(reading.owner, reading.messages, reading.trace);
  if (prefix === undefined) return undefined;
  const listed = (await store.list?.({ prefix })) ?? [{ id: firstName(prefix) }];
  const names = listed.map(({ id }) => id).filter((name) => !isLive(name));
  const until = performance.now() + HANDOVER_MS;
  let best: FoundStored | undefined;
  for (const name of names.slice(0, MOST_READ)) {
    const found = await lookInto(store, name, reading, Math.max(0, until - performance.now()));
    if (found === undefined || found.depth <= (best?.depth ?? atLeast)) {
      await found?.kept?.journal.close();
      continue;
    }
    await best?.kept?.journal.close();
    best = found;
    if (found.kept !== undefined) break;
  }
  return best;
}

/** The one of that name, if it can be gone on with; without a look at it before, or at others. */
export async function openStored(
  store: ConversationStore,
  reading: Reading<unknown>,
  atLeast: number,
  name: string,
): Promise<FoundStored | undefined> {
  const opened = await store.open(name, { waitMs: HANDOVER_MS }).catch(ignoreUnusable);
  if (opened === undefined) return undefined;
  const { records } = opened;
  const { length: depth } = messagesIn(records);
  if (depth > atLeast && isWhole(records, reading))
    return { name, depth, beginning: { type: 'records', records }, kept: opened };
  await opened.journal.close();
  return undefined;
}

async function lookInto(
  store: ConversationStore,
  name: string,
  reading: Reading<unknown>,
  waitMs: number,
): Promise<FoundStored | undefined> {
  const snapshot = await store.read?.(name).catch(noteUnread);
  if (snapshot === 'unreadable') return undefined;
  // The right to write is taken only where it is wanted.
  const isWanted = snapshot === undefined || isWhole(snapshot.records, reading);
  const opened = isWanted ? await store.open(name, { waitMs }).catch(ignoreUnusable) : undefined;
  const records = opened?.records ?? snapshot?.records ?? [];
  const saved = messagesIn(records);
  const depth = measureSaved(saved, reading);
  if (opened !== undefined && depth === saved.length && depth > 0)
    return { name, depth, beginning: { type: 'records', records }, kept: opened };
  await opened?.journal.close();
  if (depth === 0) return undefined;
  const session = createSession({ window: reading.terms.window, records });
  return { name, depth, beginning: { type: 'fork', session, ids: saved.slice(0, depth).map(({ id }) => id) } };
}

const measureSaved = (saved: readonly Message[], reading: Reading<unknown>): number =>
  measureShared({ messages: () => saved, told: saved.map(({ id }) => id), trace: traceMessages(saved) }, reading);

function isWhole(records: readonly JournalRecord[], reading: Reading<unknown>): boolean {
  const saved = messagesIn(records);
  return saved.length > 0 && measureSaved(saved, reading) === saved.length;
}

const messagesIn = (records: readonly JournalRecord[]): readonly Message[] =>
  records.flatMap((record) => (record.type === 'message' ? [record.message] : []));

/** Another process has it, or nobody can read it: it is gone past, and stays as it is. The request has all that it needs. */
export function ignoreUnusable(error: unknown): undefined {
  if (asFields(error).code !== 'locked' && !isUnreadable(error)) throw error;
}

function noteUnread(error: unknown): 'unreadable' | undefined {
  if (isUnreadable(error)) return 'unreadable';
  if (asFields(error).code !== 'not-found') throw error;
  return undefined;
}

/** Damaged, or written by a later version: no later request will find it otherwise. */
const isUnreadable = (error: unknown): boolean =>
  ['corrupt', 'unsupported-version'].includes(String(asFields(error).code));
