import type { JournalRecord, Message, PresetName } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import { auditRecording } from './audit/audit-recording.ts';
import { toAuditPage } from './audit/page-audit.ts';
import { toLine } from './model/describe-messages.ts';
import type { Followed } from './model/follow-session.ts';
import { followPreset, readRecording } from './model/inspect-recording.ts';
import { inspectSession, listBase, type SessionAbout } from './model/inspect-session.ts';
import type {
  AuditPage,
  Cliff,
  Course,
  Found,
  Inspection,
  MessageTable,
  ReadText,
  SummaryText,
} from './model/inspection.ts';
import { readAgentSummary, readOwnSummary } from './model/read-summary.ts';
import { cutPage, readMessage } from './model/read-text.ts';
import { searchTexts } from './model/search-texts.ts';

/** Everything that a page may ask about one session. */
export interface Inspector {
  readonly inspection: Inspection;
  /** What a message says: by its place (`#12`), an excerpt by place and call (`#12@3`), one that nobody said by its id. */
  readText(course: string, name: string, offset?: number): ReadText | undefined;
  /** The summary that a compaction of a course left, with its provenance. */
  readSummary(course: string, cliff: number): SummaryText | undefined;
  search(query: string): Found;
  /** What its compactions lost; undefined where the session is ours, which loses nothing. */
  readonly audit?: (signal: AbortSignal) => Promise<AuditPage>;
  /** The same messages under a preset, in a window. */
  imagine(preset: PresetName, window: number, signal: AbortSignal): Promise<Course>;
}

/** Looks into a recording of another agent. */
export function inspectForeign(recording: Recording, title: string): Inspector {
  const { inspection, excerpts } = readRecording(recording, title);
  const made = new Map(recording.compactions.flatMap(({ inserted }) => inserted.map((one) => [one.id, one] as const)));
  const { messages, system } = recording;
  let audited: Promise<AuditPage> | undefined;
  const audit = (signal: AbortSignal): Promise<AuditPage> => {
    audited ??= auditRecording(recording, { signal }).then((report) => toAuditPage(title, report));
    // One that was stopped is begun again when it is asked for the next time.
    audited.catch(() => {
      audited = undefined;
    });
    return audited;
  };
  const inspector = newInspector(inspection, {
    messages,
    said: { messages, ...(system === undefined ? {} : { system }) },
    readMade: (id) => made.get(id) ?? excerpts.get(id),
    readSummary: (cliff, placeOf) => readAgentSummary(recording, cliff, placeOf),
  });
  return { ...inspector, audit };
}

/** Looks into a session of ours. */
export function inspectOwn(records: readonly JournalRecord[], about: SessionAbout): Inspector {
  const { inspection, followed } = inspectSession(records, about);
  const messages = listBase(records);
  return newInspector(inspection, {
    messages,
    said: { messages },
    readMade: (id) => followed.made.get(id),
    readSummary: (cliff, placeOf) => readFollowed(followed, cliff, messages, placeOf),
  });
}

interface Insight {
  readonly messages: readonly Message[];
  readonly said: Pick<Recording, 'messages' | 'system'>;
  readonly readMade: (id: string) => Message | undefined;
  readonly readSummary: (cliff: number, placeOf: (id: string) => number | undefined) => SummaryText | undefined;
}

function newInspector(inspection: Inspection, { messages, said, readMade, readSummary }: Insight): Inspector {
  const placeOf = newPlaces(inspection.messages);
  const imagined = new Map<string, Followed>();
  const own = inspection.courses[0]?.name;
  let searched: readonly string[] | undefined;
  return {
    inspection,
    readText(course, name, offset = 0) {
      const place = /^#\d+$/.test(name) ? Number(name.slice(1)) - 1 : undefined;
      const message =
        place !== undefined ? messages[place] : course === own ? readMade(name) : imagined.get(course)?.made.get(name);
      return message === undefined ? undefined : cutPage(readMessage(message), offset);
    },
    readSummary(course, cliff) {
      if (course === own) return readSummary(cliff, placeOf);
      const followed = imagined.get(course);
      return followed === undefined ? undefined : readFollowed(followed, cliff, messages, placeOf);
    },
    search(query) {
      // As it may be shown: a line of a secret that has several is none by itself.
      searched ??= messages.map(readMessage);
      const { ids, titles } = inspection.messages;
      return searchTexts({ texts: searched, ids, titles, own: inspection.courses[0], show: toLine }, query);
    },
    async imagine(preset, window, signal) {
      const followed = await followPreset(said, inspection.messages, { preset, window, signal });
      const course = { ...followed.course, name: `${preset} ${window}` };
      imagined.set(course.name, { ...followed, course });
      return course;
    },
  };
}

function readFollowed(
  { course, summaries }: Followed,
  cliff: number,
  messages: readonly Message[],
  placeOf: (id: string) => number | undefined,
): SummaryText | undefined {
  const found = course.cliffs[cliff];
  const kept = found?.summary === undefined ? undefined : summaries.get(found.summary.id);
  return found === undefined || kept === undefined
    ? undefined
    : readOwnSummary(kept, messages.slice(0, countFolded(found)), placeOf, messages.slice(0, found.at));
}

/** How far a summary reaches: what stands behind that is still in the view, and it was written without it. */
function countFolded({ items, at }: Cliff): number {
  const folded = items.filter(({ kind, to, from }) => kind === 'messages' && to > from);
  return folded.length === 0 ? at : Math.max(...folded.map(({ to }) => to + 1));
}

function newPlaces({ ids }: MessageTable): (id: string) => number | undefined {
  const places = new Map(ids.map((id, place) => [id, place]));
  return (id) => places.get(id);
}
