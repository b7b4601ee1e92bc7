import { type Message, text } from '@palimpsest/core';
import { asNumber, asString, type Fields } from '@palimpsest/core/json';
import { asFieldsOrNone, asWord, getField, omitUndefined, readTime } from '../../fields.ts';
import { type AboutCompaction, restoreAbout } from '../../recording/compaction.ts';
import { newRecorder, type Recorder } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import { type Remainder, readRemainder, restoreMessage } from '../../recording/remainder.ts';
import { readJsonLines } from '../json-lines.ts';
import type { Reader } from '../reader.ts';
import { readMessages, readUsage } from './message.ts';

interface Entry {
  readonly id: string;
  readonly record: Fields;
  /** Place in the file; the head line is 0. */
  readonly index: number;
}

function read(source: string | Uint8Array): Recording {
  const recorder = newRecorder('pi');
  const entries: Entry[] = [];
  for (const { record } of readJsonLines(source, recorder.note))
    entries.push({ id: asWord(record.id) ?? `entry-${entries.length}`, record, index: entries.length });
  const head = entries[0]?.record ?? {};
  const path = findLivePath(entries, recorder);
  let model = asWord(head.modelId);
  for (const { record } of path)
    model =
      asWord(getField(record.message, 'model')) ??
      (record.type === 'model_change' ? asWord(record.modelId) : undefined) ??
      model;
  recordPath(recorder, path);
  return recorder.finish({
    id: asWord(head.id),
    cwd: asWord(head.cwd),
    version: head.version === undefined ? undefined : `v${head.version}`,
    model,
  });
}

/** From version 2 on entries form a tree, and the conversation is the path to the last of them. Version 1 is a list. */
function findLivePath(entries: readonly Entry[], recorder: Recorder): readonly Entry[] {
  const body = entries.filter(({ record }) => record.type !== 'session');
  if (!body.some(({ record }) => 'parentId' in record)) return body;
  const byId = new Map(body.map((entry) => [entry.id, entry]));
  const onPath = new Set<Entry>();
  let here = body.at(-1);
  while (here !== undefined && !onPath.has(here)) {
    const { record } = here;
    // A leaf entry only says from which entry the conversation goes on.
    const isLeaf: boolean = record.type === 'leaf';
    if (!isLeaf) onPath.add(here);
    here = byId.get(asString(isLeaf && 'targetId' in record ? record.targetId : record.parentId) ?? '');
  }
  const off = body.filter((entry) => !onPath.has(entry)).flatMap((entry) => readMessages(entry.record, entry.id));
  if (off.length > 0) {
    recorder.branch({ type: 'abandoned', messages: off });
    recorder.note(`${off.length} message(s) on other branches of the session are not part of the conversation`);
  }
  return body.filter((entry) => onPath.has(entry));
}

interface Told {
  readonly entry: Entry;
  readonly messages: readonly Message[];
}

/** An entry's messages, with what rides along when we wrote it; a message of several entries is joined. */
function restoreEntry(path: readonly Entry[], index: number, remainder: Remainder | undefined): readonly Message[] {
  const { record, id } = path[index]!;
  const own = readMessages(record, id);
  if (remainder === undefined) return own;
  const rest = path
    .slice(index + 1, index + (remainder.lines ?? 1))
    .flatMap((entry) => readMessages(entry.record, entry.id));
  const all = [...own, ...rest];
  if (all.length === 0) return [];
  return [restoreMessage({ ...all[0]!, parts: all.flatMap((message) => message.parts) }, remainder)];
}

function recordPath(recorder: Recorder, path: readonly Entry[]): void {
  const told: Told[] = [];
  for (let i = 0; i < path.length; ) {
    const entry = path[i]!;
    const remainder = readRemainder(entry.record);
    if (entry.record.type === 'compaction') {
      recordCompaction(recorder, entry, told);
      i++;
      continue;
    }
    const messages = restoreEntry(path, i, remainder);
    if (remainder?.inserted === true) told.push({ entry, messages });
    else {
      const from = recorder.messages.length;
      const places = messages.map((message) => recorder.say(message, remainder !== undefined));
      const { message } = entry.record;
      const { usage, ...about } = remainder?.reported ?? {
        usage: readUsage(getField(message, 'usage')),
        model: asWord(getField(message, 'model')),
      };
      recorder.report(places[0], usage, about);
      told.push({ entry, messages: recorder.messages.slice(from) });
    }
    i += remainder?.lines ?? 1;
  }
}

/** What rides along on a compaction that we wrote. pi's format always wants a summary; ours may have none. */
export interface CompactionRemainder {
  readonly summary?: Remainder;
  readonly bare?: boolean;
  readonly change?: Fields;
}

/** The model then sees the summary and the entries from the first kept one. */
function recordCompaction(recorder: Recorder, { id, record }: Entry, told: readonly Told[]): void {
  const own = asFieldsOrNone(record.palimpsest) as CompactionRemainder | undefined;
  const when = readTime(record.timestamp);
  const words = asString(record.summary) ?? '';
  const summary = restoreMessage(
    { id, role: 'user', origin: 'palimpsest', parts: [text(words)], ...omitUndefined({ at: when }) },
    own?.summary,
  );
  const firstKept = asNumber(record.firstKeptEntryIndex);
  const from = told.findIndex(({ entry }) =>
    firstKept === undefined ? entry.id === record.firstKeptEntryId : entry.index >= firstKept,
  );
  // A compaction that names itself kept nothing.
  if (from < 0 && firstKept === undefined && record.firstKeptEntryId !== id)
    recorder.note('a compaction kept messages that are not in the file');
  const shown = new Map(recorder.view().map((message) => [message.id, message]));
  const kept = (from < 0 ? [] : told.slice(from)).flatMap(({ entry, messages }) =>
    readRemainder(entry.record)?.inserted === true
      ? messages
      : messages.map((message) => shown.get(message.id) ?? message),
  );
  const plain: AboutCompaction = {
    type: 'summary',
    ...omitUndefined({ when, tokensBefore: asNumber(record.tokensBefore) }),
    ...(own?.bare === true ? {} : { summary: words, summaryId: summary.id }),
  };
  recorder.compact(restoreAbout(plain, own?.change), own?.bare === true ? kept : [summary, ...kept]);
}

export const pi: Reader = {
  format: 'pi',
  looksFor: 'a first line of type "session" with "id" and "cwd", then entries of type "message"',
  lines: {
    recognizes: ([head]) => head?.type === 'session' && typeof head.id === 'string' && typeof head.cwd === 'string',
    read,
  },
};
