import type { Message } from '@palimpsest/core';
import { type Fields, fieldsOf, given, same } from './fields.ts';
import type { RecordedCompaction, SessionRecord } from './recording.ts';

/** What a compaction says of itself, apart from what it left visible. */
export type Change = Pick<RecordedCompaction, 'type'> &
  Partial<
    Pick<
      RecordedCompaction,
      'when' | 'trigger' | 'tokensBefore' | 'tokensAfter' | 'summary' | 'summaryId' | 'cleared' | 'usage'
    >
  >;

const KEYS = [
  'type',
  'when',
  'trigger',
  'tokensBefore',
  'tokensAfter',
  'summary',
  'summaryId',
  'cleared',
  'usage',
] as const;

/** What has to ride along so that `restoreChange` makes `wanted` of `plain`; null stands for absent. */
export function carryChange(plain: Change, wanted: Change): Fields | undefined {
  const carried: Record<string, unknown> = {};
  for (const key of KEYS) if (!same(plain[key] ?? null, wanted[key] ?? null)) carried[key] = wanted[key] ?? null;
  return Object.keys(carried).length === 0 ? undefined : carried;
}

export function restoreChange(plain: Change, carried: unknown): Change {
  const own = fieldsOf(carried);
  if (own === undefined) return plain;
  const merged: Record<string, unknown> = { ...plain };
  for (const key of KEYS) if (key in own) merged[key] = own[key] ?? undefined;
  return given(merged) as Change;
}

/** The compaction that makes `view` of what was visible: `before` is that, `messages` the transcript so far. */
export function compactionOf(
  change: Change,
  view: readonly Message[],
  before: readonly Message[],
  own: (message: Message) => boolean,
  at: number,
): RecordedCompaction {
  const shown = new Set(view.map((message) => message.id));
  return {
    ...change,
    at,
    visible: [...shown],
    inserted: view.filter((message) => !own(message)),
    hidden: before.flatMap((message) => (shown.has(message.id) ? [] : message.id)),
    cleared: change.cleared ?? [],
  };
}

/**
 * The session with one more compaction at its end: from here on the model sees `view`. For a session that Palimpsest
 * compacted and another agent is to continue.
 */
export function withCompaction(
  session: SessionRecord,
  view: readonly Message[],
  change: Change,
  before: readonly Message[] = session.messages,
): SessionRecord {
  const known = new Map(session.messages.map((message) => [message.id, message]));
  const next = compactionOf(change, view, before, (one) => same(known.get(one.id), one), session.messages.length);
  return { ...session, compactions: [...session.compactions, next] };
}
