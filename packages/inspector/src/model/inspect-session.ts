import {
  createSession,
  type JournalRecord,
  type Message,
  type PresetName,
  playRecords,
  presets,
  type Session,
  type WalkRoom,
} from '@palimpsest/core';
import { describeMessages } from './describe-messages.ts';
import { type Followed, followSession } from './follow-session.ts';
import { EXAMPLE_PRICES } from './inspect-recording.ts';
import type { Inspection } from './inspection.ts';

/** What is known of a session of ours besides its journal. */
export interface SessionAbout {
  readonly title: string;
  readonly id?: string;
  /** Unstated: what the journal says. */
  readonly window?: number;
  /** The command by which a reference of it is read at a terminal, without the reference. */
  readonly recallBy?: string;
  /** Of a session that runs: what its views are led by now. A journal does not say it. */
  readonly now?: { readonly trigger: number; readonly target: number; readonly systemTokens: number };
}

const NO_WINDOW =
  'The window is not recorded in this session; state it with --window, and the page says what filled it.';

/** The budget of the newest walk whose entry says it. */
function readRoom(records: readonly JournalRecord[]): WalkRoom | undefined {
  for (const record of records.toReversed())
    if (record.type === 'entry' && record.entry.type === 'edits' && record.entry.room !== undefined)
      return record.entry.room;
  return undefined;
}

/** A session of ours as the page shows it, from its journal alone. */
export function inspectSession(
  records: readonly JournalRecord[],
  { title, id, window: stated, recallBy, now }: SessionAbout,
): { readonly inspection: Inspection; readonly followed: Followed } {
  const messages = describeMessages(listBase(records));
  const places = new Map(messages.ids.map((name, place) => [name, place]));
  const preset = readPreset(records);
  const written = readRoom(records);
  const window = stated ?? written?.window;
  const session = createSession({
    window: window ?? Number.MAX_SAFE_INTEGER,
    records,
    ...(preset === undefined ? {} : { layers: presets[preset]() }),
  });
  const { overhead, budget } = session.status();
  const isWritten = written !== undefined && written.window === window;
  const { trigger, target } = now ?? (isWritten ? written : budget);
  const followed = followSession(records, {
    name: 'session',
    budget: window === undefined ? {} : { window, trigger, target },
    systemTokens: now?.systemTokens ?? overhead.tokens,
    sizes: messages.tokens,
    placeOf: (name) => places.get(name),
  });
  const inspection: Inspection = {
    version: 1,
    title,
    format: 'palimpsest',
    ...(id === undefined ? {} : { id }),
    prices: EXAMPLE_PRICES,
    messages,
    courses: [followed.course],
    pinned: listPinned(records).flatMap((name) => places.get(name) ?? []),
    ...(recallBy === undefined ? {} : { recallBy }),
    ...findUndoable(session),
    notes: window === undefined ? [NO_WINDOW] : [],
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
