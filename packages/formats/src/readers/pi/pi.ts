import { type Message, text } from '@palimpsest/core';
import { at, type Fields, fieldsOf, given, numberOf, stringOf, timeOf, wordOf } from '../../fields.ts';
import { type AboutCompaction, restoreAbout } from '../../recording/compaction.ts';
import { type Draft, newDraft } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import { type Carried, carriedIn, restore } from '../../recording/remainder.ts';
import { jsonLines } from '../json-lines.ts';
import type { Reader } from '../reader.ts';
import { messagesOf, usageFrom } from './message.ts';

interface Entry {
  readonly id: string;
  readonly record: Fields;
  /** Place in the file; the head line is 0. */
  readonly index: number;
}

function read(source: string | Uint8Array): Recording {
  const draft = newDraft('pi');
  const entries: Entry[] = [];
  for (const { record } of jsonLines(source, draft.note))
    entries.push({ id: wordOf(record.id) ?? `entry-${entries.length}`, record, index: entries.length });
  const head = entries[0]?.record ?? {};
  const path = livePath(entries, draft);
  let model = wordOf(head.modelId);
  for (const { record } of path)
    model =
      wordOf(at(record.message, 'model')) ??
      (record.type === 'model_change' ? wordOf(record.modelId) : undefined) ??
      model;
  tell(draft, path);
  return draft.finish({
    id: wordOf(head.id),
    cwd: wordOf(head.cwd),
    version: head.version === undefined ? undefined : `v${head.version}`,
    model,
  });
}

/** From version 2 on entries form a tree, and the conversation is the path to the last of them. Version 1 is a list. */
function livePath(entries: readonly Entry[], draft: Draft): readonly Entry[] {
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
    here = byId.get(stringOf(isLeaf && 'targetId' in record ? record.targetId : record.parentId) ?? '');
  }
  const off = body.filter((entry) => !onPath.has(entry)).flatMap((entry) => messagesOf(entry.record, entry.id));
  if (off.length > 0) {
    draft.branch({ type: 'abandoned', messages: off });
    draft.note(`${off.length} message(s) on other branches of the session are not part of the conversation`);
  }
  return body.filter((entry) => onPath.has(entry));
}

interface Told {
  readonly entry: Entry;
  readonly messages: readonly Message[];
}

/** An entry's messages, with what rides along when we wrote it; a message of several entries is joined. */
function restored(path: readonly Entry[], index: number, carried: Carried | undefined): readonly Message[] {
  const { record, id } = path[index]!;
  const own = messagesOf(record, id);
  if (carried === undefined) return own;
  const rest = path
    .slice(index + 1, index + (carried.lines ?? 1))
    .flatMap((entry) => messagesOf(entry.record, entry.id));
  const all = [...own, ...rest];
  if (all.length === 0) return [];
  return [restore({ ...all[0]!, parts: all.flatMap((message) => message.parts) }, carried)];
}

function tell(draft: Draft, path: readonly Entry[]): void {
  const told: Told[] = [];
  for (let i = 0; i < path.length; ) {
    const entry = path[i]!;
    const carried = carriedIn(entry.record);
    if (entry.record.type === 'compaction') {
      compact(draft, entry, told);
      i++;
      continue;
    }
    const messages = restored(path, i, carried);
    if (carried?.inserted === true) told.push({ entry, messages });
    else {
      const from = draft.messages.length;
      const places = messages.map((message) => draft.say(message, carried !== undefined));
      const { usage, window } = carried?.reported ?? { usage: usageFrom(at(entry.record.message, 'usage')) };
      draft.report(places[0], usage, window);
      told.push({ entry, messages: draft.messages.slice(from) });
    }
    i += carried?.lines ?? 1;
  }
}

/** What rides along on a compaction that we wrote. pi's format always wants a summary; ours may have none. */
export interface CarriedCompaction {
  readonly summary?: Carried;
  readonly bare?: boolean;
  readonly change?: Fields;
}

/** The model then sees the summary and the entries from the first kept one. */
function compact(draft: Draft, { id, record }: Entry, told: readonly Told[]): void {
  const own = fieldsOf(record.palimpsest) as CarriedCompaction | undefined;
  const when = timeOf(record.timestamp);
  const words = stringOf(record.summary) ?? '';
  const summary = restore(
    { id, role: 'user', origin: 'palimpsest', parts: [text(words)], ...given({ at: when }) },
    own?.summary,
  );
  const firstKept = numberOf(record.firstKeptEntryIndex);
  const from = told.findIndex(({ entry }) =>
    firstKept === undefined ? entry.id === record.firstKeptEntryId : entry.index >= firstKept,
  );
  // A compaction that names itself kept nothing.
  if (from < 0 && firstKept === undefined && record.firstKeptEntryId !== id)
    draft.note('a compaction kept messages that are not in the file');
  const shown = new Map(draft.view().map((message) => [message.id, message]));
  const kept = (from < 0 ? [] : told.slice(from)).flatMap(({ entry, messages }) =>
    carriedIn(entry.record)?.inserted === true ? messages : messages.map((message) => shown.get(message.id) ?? message),
  );
  const plain: AboutCompaction = {
    type: 'summary',
    ...given({ when, tokensBefore: numberOf(record.tokensBefore) }),
    ...(own?.bare === true ? {} : { summary: words, summaryId: summary.id }),
  };
  draft.compact(restoreAbout(plain, own?.change), own?.bare === true ? kept : [summary, ...kept]);
}

export const pi: Reader = {
  format: 'pi',
  looksFor: 'a first line of type "session" with "id" and "cwd", then entries of type "message"',
  lines: {
    recognizes: ([head]) => head?.type === 'session' && typeof head.id === 'string' && typeof head.cwd === 'string',
    read,
  },
};
