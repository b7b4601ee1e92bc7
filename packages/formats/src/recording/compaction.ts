import type { Message } from '@palimpsest/core';
import { type Fields, isSameJson } from '@palimpsest/core/json';
import { asFieldsOrNone, omitUndefined } from '../fields.ts';
import { type RecordedCompaction, type SessionRecord, viewOf } from './recording.ts';

/** What a compaction says of itself, apart from what it left visible. */
export type AboutCompaction = Pick<RecordedCompaction, 'type'> &
  Partial<
    Pick<
      RecordedCompaction,
      'when' | 'trigger' | 'tokensBefore' | 'tokensAfter' | 'summary' | 'summaryId' | 'unread' | 'cleared' | 'usage'
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
  'unread',
  'cleared',
  'usage',
] as const;

/** What has to ride along so that `restoreAbout` makes `wanted` of `plain`; null stands for absent. */
export function findAboutRemainder(plain: AboutCompaction, wanted: AboutCompaction): Fields | undefined {
  const remainder: Record<string, unknown> = {};
  for (const key of KEYS)
    if (!isSameJson(plain[key] ?? null, wanted[key] ?? null)) remainder[key] = wanted[key] ?? null;
  return Object.keys(remainder).length === 0 ? undefined : remainder;
}

export function restoreAbout(plain: AboutCompaction, remainder: unknown): AboutCompaction {
  const own = asFieldsOrNone(remainder);
  if (own === undefined) return plain;
  const merged: Record<string, unknown> = { ...plain };
  for (const key of KEYS) if (key in own) merged[key] = own[key] ?? undefined;
  return omitUndefined(merged) as AboutCompaction;
}

/** The compaction that makes `view` of `before`; `isOwn` tells the transcript's own messages. */
export function makeCompaction(
  about: AboutCompaction,
  view: readonly Message[],
  before: readonly Message[],
  isOwn: (message: Message) => boolean,
  at: number,
): RecordedCompaction {
  const shown = new Set(view.map((message) => message.id));
  return {
    ...about,
    at,
    visible: view.map((message) => message.id),
    inserted: view.filter((message) => !isOwn(message)),
    hidden: before.flatMap((message) => (shown.has(message.id) ? [] : message.id)),
    cleared: about.cleared ?? [],
  };
}

/** What the model sees at the end of a session. */
function findLastView({ messages, compactions }: SessionRecord): readonly Message[] {
  const last = compactions.at(-1);
  return last === undefined ? messages : [...viewOf(last, messages), ...messages.slice(last.at)];
}

/**
 * The session with one more compaction at its end: from here on the model sees `view`. For a session that Palimpsest
 * compacted and another agent is to continue.
 */
export function withCompaction(
  session: SessionRecord,
  view: readonly Message[],
  about: AboutCompaction,
): SessionRecord {
  const known = new Map(session.messages.map((message) => [message.id, message]));
  const isOwn = (message: Message): boolean => isSameJson(known.get(message.id), message);
  const next = makeCompaction(about, view, findLastView(session), isOwn, session.messages.length);
  const { id, cwd, model, version, system, messages, usage } = session;
  const compactions = [...session.compactions, next];
  return { ...omitUndefined({ id, cwd, model, version, system }), messages, usage, compactions };
}
