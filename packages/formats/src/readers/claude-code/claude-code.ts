import type { Message } from '@palimpsest/core';
import { asNumber, asString, type Fields } from '@palimpsest/core/json';
import { asFieldsOrNone, asWord, getField, omitUndefined } from '../../fields.ts';
import { clearResults } from '../../recording/clear-results.ts';
import { type AboutCompaction, restoreAbout } from '../../recording/compaction.ts';
import { type AboutSession, newRecorder, type Recorder } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import { readJsonLines } from '../json-lines.ts';
import type { Reader } from '../reader.ts';
import { findAbandonedLines } from './forks.ts';
import { type Line, readLine, readUuids } from './line.ts';
import { findReport, gatherUtterances, readMessages, sliceUtterance, type Utterance } from './utterance.ts';

function read(source: string | Uint8Array): Recording {
  const recorder = newRecorder('claude-code');
  const lines: Line[] = [];
  const about: AboutSession = {};
  const seen = new Set<string>();
  let repeated = 0;
  for (const { record } of readJsonLines(source, recorder.note)) {
    about.id ??= asWord(record.sessionId);
    about.cwd ??= asWord(record.cwd);
    about.version = asWord(record.version) ?? about.version;
    const line = readLine(record, lines.length);
    if (line === undefined) continue;
    if (seen.has(line.uuid)) repeated++;
    else lines.push(line);
    seen.add(line.uuid);
    about.model = (line.sidechain === undefined ? line.model : undefined) ?? about.model;
  }
  if (repeated > 0) recorder.note(`${repeated} line(s) stand twice in the file and were read once`);

  const main = lines.filter((line) => line.sidechain === undefined);
  const abandoned = findAbandonedLines(main);
  const live = abandoned.size === 0 ? main : main.filter((line) => !abandoned.has(line));
  recordUtterances(recorder, live);
  setAside(recorder, lines, main, abandoned);
  return recorder.finish(about);
}

/** Subagents' own conversations, and what the user took back. */
function setAside(
  recorder: Recorder,
  lines: readonly Line[],
  main: readonly Line[],
  abandoned: ReadonlySet<Line>,
): void {
  const tellMessages = (some: readonly Line[]): readonly Message[] =>
    gatherUtterances(some.filter((line) => isSpeech(line))).flatMap(readMessages);
  for (const agent of new Set(lines.flatMap((line) => line.sidechain ?? [])))
    recorder.branch({ type: 'sidechain', messages: tellMessages(lines.filter((line) => line.sidechain === agent)) });
  const messages = tellMessages(main.filter((line) => abandoned.has(line)));
  if (messages.length === 0) return;
  recorder.branch({ type: 'abandoned', messages });
  recorder.note(`${messages.length} message(s) on courses that were taken back are not part of the conversation`);
}

const isSpeech = (line: Line): boolean =>
  line.kind === 'user' || line.kind === 'aside' || line.kind === 'assistant' || line.kind === 'summary';

const isInserted = (line: Line): boolean => line.kind === 'summary' || line.remainder?.inserted === true;

interface Told {
  readonly utterance: Utterance;
  readonly messages: readonly Message[];
}

function recordUtterances(recorder: Recorder, lines: readonly Line[]): void {
  const utterances = gatherUtterances(lines.filter((line) => line.kind !== 'none'));
  const told: Told[] = [];
  let i = 0;
  for (let utterance = utterances[i]; utterance !== undefined; utterance = utterances[i]) {
    const { first } = utterance;
    if (first.kind === 'clear') {
      recordClearing(recorder, first);
      i++;
    } else if (first.kind === 'boundary' || isInserted(first)) {
      // Old versions wrote a summary without a boundary.
      const boundary = first.kind === 'boundary' ? first : undefined;
      if (boundary !== undefined) i++;
      const inserted: Told[] = [];
      for (let next = utterances[i]; next !== undefined && isInserted(next.first); next = utterances[++i])
        inserted.push({ utterance: next, messages: readMessages(next) });
      recordCompaction(recorder, boundary, lines, told, inserted);
      told.push(...inserted);
    } else {
      const from = recorder.messages.length;
      const { remainder } = first;
      const places = readMessages(utterance).map((message) => recorder.say(message, remainder !== undefined));
      const { usage, ...about } = remainder?.reported ?? findReport(utterance);
      recorder.report(places[0], usage, about);
      told.push({ utterance, messages: recorder.messages.slice(from) });
      i++;
    }
  }
}

function recordClearing(recorder: Recorder, line: Line): void {
  const { compactedToolIds, clearedAttachmentUUIDs, trigger, preTokens } = line.details ?? {};
  const cleared = readUuids(compactedToolIds);
  const gone = new Set(readUuids(clearedAttachmentUUIDs));
  const view = clearResults(recorder.view(), new Set(cleared)).filter((message) => !gone.has(message.id));
  const plain: AboutCompaction = {
    type: 'clear',
    cleared,
    ...omitUndefined({ when: line.time, trigger: asWord(trigger), tokensBefore: asNumber(preTokens) }),
  };
  recorder.compact(restoreAbout(plain, line.details?.palimpsest), view);
}

function recordCompaction(
  recorder: Recorder,
  boundary: Line | undefined,
  lines: readonly Line[],
  told: readonly Told[],
  inserted: readonly Told[],
): void {
  const details = boundary?.details ?? {};
  const kept = findKeptMessages(recorder, lines, told, details);
  const anchor = asString(getField(details.preservedSegment, 'anchorUuid'));
  // The kept messages stand right after their anchor: the boundary itself, or a message put in behind it.
  const anchored = inserted.findIndex(({ utterance }) => utterance.lines.some((line) => line.uuid === anchor));
  const toFront = anchor !== undefined && anchor === boundary?.uuid;
  const behind = toFront ? 0 : anchored < 0 ? inserted.length : anchored + 1;
  const listMessages = (some: readonly Told[]): readonly Message[] => some.flatMap(({ messages }) => messages);
  const summary = inserted.find(({ utterance }) => utterance.first.kind === 'summary')?.messages[0];
  const words = summary?.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  const plain: AboutCompaction = {
    type: 'summary',
    ...omitUndefined({
      when: boundary?.time,
      trigger: asWord(details.trigger),
      tokensBefore: asNumber(details.preTokens),
      tokensAfter: asNumber(details.postTokens),
      summary: words,
      summaryId: summary?.id,
    }),
  };
  recorder.compact(restoreAbout(plain, details.palimpsest), [
    ...listMessages(inserted.slice(0, behind)),
    ...kept,
    ...listMessages(inserted.slice(behind)),
  ]);
  if (inserted.length === 0 && details.palimpsest === undefined)
    recorder.note(`the compaction after ${recorder.messages.length} message(s) has no summary`);
}

/** The segment that a boundary preserves: those lines stand before it in the file and are shown after the summary. */
function findKeptMessages(
  recorder: Recorder,
  lines: readonly Line[],
  told: readonly Told[],
  details: Fields,
): readonly Message[] {
  const segment = asFieldsOrNone(details.preservedSegment);
  if (segment === undefined) return [];
  const indexOf = (uuid: unknown): number | undefined => lines.find((line) => line.uuid === uuid)?.index;
  const [head, tail] = [indexOf(segment.headUuid), indexOf(segment.tailUuid)];
  if (head === undefined || tail === undefined) {
    recorder.note('a compaction kept messages that are not in the file');
    return [];
  }
  const listed = new Set(readUuids(getField(details.preservedMessages, 'allUuids')));
  const isKept = (line: Line): boolean =>
    listed.size > 0 ? listed.has(line.uuid) : line.index >= head && line.index <= tail;
  const shown = new Map(recorder.view().map((message, place) => [message.id, { message, place }]));
  const kept = told.flatMap(({ utterance, messages }) =>
    sliceUtterance(
      utterance,
      messages.map((message) => shown.get(message.id)?.message ?? message),
      isKept,
    ),
  );
  // An earlier summary among them stands later in the file than what it was shown before.
  const findPlace = (message: Message): number => shown.get(message.id)?.place ?? -1;
  return kept.sort((a, b) => findPlace(a) - findPlace(b));
}

const isEntry = (record: Fields): boolean =>
  (record.type === 'user' || record.type === 'assistant' || record.type === 'system' || record.type === 'attachment') &&
  asWord(record.uuid) !== undefined &&
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
