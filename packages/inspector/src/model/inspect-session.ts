import {
  createSession,
  type JournalRecord,
  type Message,
  type PresetName,
  playRecords,
  presets,
  type Session,
} from '@palimpsest/core';
import { describeMessages } from './describe-messages.ts';
import { type Followed, followSession } from './follow-session.ts';
import { USUAL_PRICES } from './inspect-recording.ts';
import type { Inspection } from './inspection.ts';

/** What is known of a session of ours besides its journal. */
export interface SessionAbout {
  readonly title: string;
  readonly id?: string;
  readonly window: number;
  /** Of a session that runs: what its views are led by now. A journal does not say it. */
  readonly now?: { readonly trigger: number; readonly target: number; readonly systemTokens: number };
}

/** A session of ours as the page shows it, from its journal alone. */
export function inspectSession(
  records: readonly JournalRecord[],
  { title, id, window, now }: SessionAbout,
): { readonly inspection: Inspection; readonly followed: Followed } {
  const messages = describeMessages(listBase(records));
  const places = new Map(messages.ids.map((name, place) => [name, place]));
  const preset = readPreset(records);
  const session = createSession({ window, records, ...(preset === undefined ? {} : { layers: presets[preset]() }) });
  const { overhead, budget } = session.status();
  const { trigger, target, systemTokens } = now ?? { ...budget, systemTokens: overhead.tokens };
  const followed = followSession(records, {
    name: 'session',
    budget: { window, trigger, target },
    systemTokens,
    sizes: messages.tokens,
    placeOf: (name) => places.get(name),
  });
  const inspection: Inspection = {
    version: 1,
    title,
    format: 'palimpsest',
    ...(id === undefined ? {} : { id }),
    prices: USUAL_PRICES,
    messages,
    courses: [followed.course],
    pinned: listPinned(records).flatMap((name) => places.get(name) ?? []),
    ...findUndoable(session),
    notes: [],
  };
  return { inspection, followed };
}

/** Which walk the session itself would take back. It is a copy that nobody writes down. */
function findUndoable(session: Session): Pick<Inspection, 'undoable'> {
  try {
    return { undoable: session.undo().walk };
  } catch {
    return {};
  }
}

/** The transcript as any view may show it. */
export function listBase(records: readonly JournalRecord[]): readonly Message[] {
  let base: readonly Message[] = [];
  for (const played of playRecords(records)) base = played.base;
  return base;
}

/** Which layers the session was led through last, where its journal says so. */
export function readPreset(records: readonly JournalRecord[]): PresetName | undefined {
  const named = records.findLast((record) => record.type === 'session' && record.preset !== undefined);
  const preset = named?.type === 'session' ? named.preset : undefined;
  return preset !== undefined && Object.hasOwn(presets, preset) ? (preset as PresetName) : undefined;
}

function listPinned(records: readonly JournalRecord[]): readonly string[] {
  const pinned = new Set<string>();
  for (const record of records) {
    if (record.type !== 'entry') continue;
    if (record.entry.type === 'pin') pinned.add(record.entry.message);
    if (record.entry.type === 'unpin') pinned.delete(record.entry.message);
  }
  return [...pinned];
}
