import type { Message } from '@palimpsest/core';
import { at, type Fields, fieldsOf, given, numberOf, stringOf, wordOf } from '../../fields.ts';
import { clearResults } from '../../recording/clear-results.ts';
import { type AboutCompaction, restoreAbout } from '../../recording/compaction.ts';
import { type About, type Draft, newDraft } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import { jsonLines } from '../json-lines.ts';
import type { Reader } from '../reader.ts';
import { abandonedLines } from './forks.ts';
import { type Line, lineFrom, uuidsIn } from './line.ts';
import { messagesOf, sliceOf, type Utterance, usageOf, utterancesOf } from './utterance.ts';

function read(source: string | Uint8Array): Recording {
  const draft = newDraft('claude-code');
  const lines: Line[] = [];
  const about: About = {};
  const seen = new Set<string>();
  let repeated = 0;
  for (const { record } of jsonLines(source, draft.note)) {
    about.id ??= wordOf(record.sessionId);
    about.cwd ??= wordOf(record.cwd);
    about.version = wordOf(record.version) ?? about.version;
    const line = lineFrom(record, lines.length);
    if (line === undefined) continue;
    if (seen.has(line.uuid)) repeated++;
    else lines.push(line);
    seen.add(line.uuid);
    about.model = (line.sidechain === undefined ? line.model : undefined) ?? about.model;
  }
  if (repeated > 0) draft.note(`${repeated} line(s) stand twice in the file and were read once`);

  const main = lines.filter((line) => line.sidechain === undefined);
  const abandoned = abandonedLines(main);
  const live = abandoned.size === 0 ? main : main.filter((line) => !abandoned.has(line));
  tell(draft, live);
  setAside(draft, lines, main, abandoned);
  return draft.finish(about);
}

/** Subagents' own conversations, and what the user took back. */
function setAside(draft: Draft, lines: readonly Line[], main: readonly Line[], abandoned: ReadonlySet<Line>): void {
  const told = (some: readonly Line[]): readonly Message[] =>
    utterancesOf(some.filter((line) => speaks(line))).flatMap(messagesOf);
  for (const agent of new Set(lines.flatMap((line) => line.sidechain ?? [])))
    draft.branch({ type: 'sidechain', messages: told(lines.filter((line) => line.sidechain === agent)) });
  const messages = told(main.filter((line) => abandoned.has(line)));
  if (messages.length === 0) return;
  draft.branch({ type: 'abandoned', messages });
  draft.note(`${messages.length} message(s) on courses that were taken back are not part of the conversation`);
}

const speaks = (line: Line): boolean =>
  line.kind === 'user' || line.kind === 'aside' || line.kind === 'assistant' || line.kind === 'summary';

const isInserted = (line: Line): boolean => line.kind === 'summary' || line.carried?.inserted === true;

interface Told {
  readonly utterance: Utterance;
  readonly messages: readonly Message[];
}

function tell(draft: Draft, lines: readonly Line[]): void {
  const utterances = utterancesOf(lines.filter((line) => line.kind !== 'none'));
  const told: Told[] = [];
  for (let i = 0; i < utterances.length; ) {
    const utterance = utterances[i]!;
    const first = utterance.lines[0]!;
    if (first.kind === 'clear') {
      clear(draft, first);
      i++;
    } else if (first.kind === 'boundary' || isInserted(first)) {
      // Old versions wrote a summary without a boundary.
      const boundary = first.kind === 'boundary' ? first : undefined;
      if (boundary !== undefined) i++;
      const inserted: Told[] = [];
      for (; i < utterances.length && isInserted(utterances[i]!.lines[0]!); i++)
        inserted.push({ utterance: utterances[i]!, messages: messagesOf(utterances[i]!) });
      compact(draft, boundary, lines, told, inserted);
      told.push(...inserted);
    } else {
      const from = draft.messages.length;
      const { carried } = first;
      const places = messagesOf(utterance).map((message) => draft.say(message, carried !== undefined));
      draft.report(places[0], carried?.reported?.usage ?? usageOf(utterance), carried?.reported?.window);
      told.push({ utterance, messages: draft.messages.slice(from) });
      i++;
    }
  }
}

function clear(draft: Draft, line: Line): void {
  const { compactedToolIds, clearedAttachmentUUIDs, trigger, preTokens } = line.details ?? {};
  const cleared = uuidsIn(compactedToolIds);
  const gone = new Set(uuidsIn(clearedAttachmentUUIDs));
  const view = clearResults(draft.view(), new Set(cleared)).filter((message) => !gone.has(message.id));
  const plain: AboutCompaction = {
    type: 'clear',
    cleared,
    ...given({ when: line.time, trigger: wordOf(trigger), tokensBefore: numberOf(preTokens) }),
  };
  draft.compact(restoreAbout(plain, line.details?.palimpsest), view);
}

function compact(
  draft: Draft,
  boundary: Line | undefined,
  lines: readonly Line[],
  told: readonly Told[],
  inserted: readonly Told[],
): void {
  const details = boundary?.details ?? {};
  const kept = keptMessages(draft, lines, told, details);
  const anchor = stringOf(at(details.preservedSegment, 'anchorUuid'));
  // The kept messages stand right after their anchor: the boundary itself, or a message put in behind it.
  const anchored = inserted.findIndex(({ utterance }) => utterance.lines.some((line) => line.uuid === anchor));
  const toFront = anchor !== undefined && anchor === boundary?.uuid;
  const behind = toFront ? 0 : anchored < 0 ? inserted.length : anchored + 1;
  const put = (some: readonly Told[]): readonly Message[] => some.flatMap(({ messages }) => messages);
  const summary = inserted.find(({ utterance }) => utterance.lines[0]!.kind === 'summary')?.messages[0];
  const words = summary?.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  const plain: AboutCompaction = {
    type: 'summary',
    ...given({
      when: boundary?.time,
      trigger: wordOf(details.trigger),
      tokensBefore: numberOf(details.preTokens),
      tokensAfter: numberOf(details.postTokens),
      summary: words,
      summaryId: summary?.id,
    }),
  };
  draft.compact(restoreAbout(plain, details.palimpsest), [
    ...put(inserted.slice(0, behind)),
    ...kept,
    ...put(inserted.slice(behind)),
  ]);
  if (inserted.length === 0 && details.palimpsest === undefined)
    draft.note(`the compaction after ${draft.messages.length} message(s) has no summary`);
}

/** The segment that a boundary preserves: those lines stand before it in the file and are shown after the summary. */
function keptMessages(
  draft: Draft,
  lines: readonly Line[],
  told: readonly Told[],
  details: Fields,
): readonly Message[] {
  const segment = fieldsOf(details.preservedSegment);
  if (segment === undefined) return [];
  const indexOf = (uuid: unknown): number | undefined => lines.find((line) => line.uuid === uuid)?.index;
  const [head, tail] = [indexOf(segment.headUuid), indexOf(segment.tailUuid)];
  if (head === undefined || tail === undefined) {
    draft.note('a compaction kept messages that are not in the file');
    return [];
  }
  const listed = new Set(uuidsIn(at(details.preservedMessages, 'allUuids')));
  const isKept = (line: Line): boolean =>
    listed.size > 0 ? listed.has(line.uuid) : line.index >= head && line.index <= tail;
  const shown = new Map(draft.view().map((message, place) => [message.id, { message, place }]));
  const kept = told.flatMap(({ utterance, messages }) =>
    sliceOf(
      utterance,
      messages.map((message) => shown.get(message.id)?.message ?? message),
      isKept,
    ),
  );
  // An earlier summary among them stands later in the file than what it was shown before.
  const placeOf = (message: Message): number => shown.get(message.id)?.place ?? -1;
  return kept.sort((a, b) => placeOf(a) - placeOf(b));
}

const isEntry = (record: Fields): boolean =>
  (record.type === 'user' || record.type === 'assistant' || record.type === 'system' || record.type === 'attachment') &&
  wordOf(record.uuid) !== undefined &&
  'parentUuid' in record;

/** Titles, modes, snapshots of files: a session that was only opened has nothing else. */
const isSideLine = (record: Fields): boolean =>
  typeof record.type === 'string' &&
  [record.sessionId, record.leafUuid, record.messageId].some((id) => typeof id === 'string');

export const claudeCode: Reader = {
  format: 'claude-code',
  looksFor: 'lines with "uuid", "parentUuid" and a type of user or assistant',
  lines: { recognizes: (records) => records.some(isEntry) || records.every(isSideLine), read },
};
