import { type Message, text } from '@palimpsest/core';
import { asFields, asList, asNumber, asString, isFields } from '@palimpsest/core/json';
import { asRecords, asWord, getField, omitUndefined } from '../../fields.ts';
import { clearResults } from '../../recording/clear-results.ts';
import { newRecorder, type Recorder } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import type { Reader } from '../reader.ts';
import { type Entry, makeEntry, readMessages, readUsage, recordResponse } from './entry.ts';

/** What the compaction's user message asked; the recording holds only that it did. */
const ASKED = '[asked for a summary of the work so far]';

function read(value: unknown): Recording {
  const recorder = newRecorder('opencode');
  const info = asFields(getField(value, 'info'));
  let entries = asRecords(getField(value, 'messages')).map(makeEntry);
  const reverted = entries.findIndex((entry) => entry.id === getField(info.revert, 'messageID'));
  if (reverted >= 0) {
    recorder.branch({ type: 'abandoned', messages: entries.slice(reverted).flatMap(readMessages) });
    recorder.note(`${entries.length - reverted} message(s) were taken back and are not part of the conversation`);
    entries = entries.slice(0, reverted);
  }
  const prunes = listPrunes(entries);
  let model: string | undefined;
  for (const [index, entry] of entries.entries()) {
    recordPrunes(recorder, prunes, entry.time ?? 0);
    model = asWord(entry.info.modelID) ?? model;
    if (entry.parts.some((part) => part.type === 'compaction')) {
      const summary = entries.find((other, i) => i > index && isSummaryOf(other, entry));
      if (summary !== undefined) recordCompaction(recorder, entry, summary);
    } else if (entry.info.role !== 'assistant') for (const message of readMessages(entry)) recorder.say(message);
    else if (entry.info.summary !== true) recordResponse(recorder, entry);
  }
  recordPrunes(recorder, prunes, Number.POSITIVE_INFINITY);
  return recorder.finish({
    id: asWord(info.id),
    cwd: asWord(info.directory),
    version: asWord(info.version),
    model,
  });
}

const isSummaryOf = (entry: Entry, asked: Entry): boolean =>
  entry.info.summary === true &&
  entry.info.parentID === asked.id &&
  entry.info.error === undefined &&
  entry.info.finish !== undefined;

/** The model then sees the request, the summary, and the tail that the request names. */
function recordCompaction(recorder: Recorder, asked: Entry, summary: Entry): void {
  const part = asked.parts.find((one) => one.type === 'compaction') ?? {};
  const words = summary.parts.flatMap((one) => (one.type === 'text' ? (asWord(one.text) ?? []) : [])).join('\n');
  const request: Message = {
    id: asked.id,
    role: 'user',
    origin: 'harness',
    parts: [text(ASKED)],
    ...omitUndefined({ at: asked.time }),
  };
  const answer: Message = {
    id: summary.id,
    role: 'assistant',
    origin: 'palimpsest',
    parts: [text(words)],
    ...omitUndefined({ at: summary.time }),
  };
  const view = recorder.view();
  const from = view.findIndex((message) => message.id === part.tail_start_id);
  const usage = summary.parts.findLast((one) => one.type === 'step-finish');
  recorder.compact(
    {
      type: 'summary',
      trigger: part.auto === true ? 'auto' : 'manual',
      summary: words,
      summaryId: summary.id,
      ...omitUndefined({ when: summary.time, usage: readUsage(usage?.tokens) }),
    },
    [request, answer, ...(from < 0 ? [] : view.slice(from))],
  );
}

/** Outputs that were pruned later: the call, and when. */
const listPrunes = (entries: readonly Entry[]): { readonly callId: string; readonly time: number }[] =>
  entries
    .flatMap((entry) => entry.parts)
    .flatMap((part) => {
      const time = asNumber(getField(part.state, 'time', 'compacted'));
      return time === undefined ? [] : [{ callId: asString(part.callID) ?? '', time }];
    })
    .sort((a, b) => a.time - b.time);

function recordPrunes(
  recorder: Recorder,
  prunes: { readonly callId: string; readonly time: number }[],
  before: number,
): void {
  const due = prunes.splice(0, prunes.findLastIndex((one) => one.time < before) + 1);
  const [first] = due;
  if (first === undefined) return;
  const cleared = due.map((one) => one.callId);
  recorder.compact(
    { type: 'clear', trigger: 'auto', cleared, when: first.time },
    clearResults(recorder.view(), new Set(cleared)),
  );
}

export const opencode: Reader = {
  format: 'opencode',
  looksFor: 'an object with "info" and "messages", each message with "info" and "parts"',
  document: {
    recognizes: (value) =>
      isFields(getField(value, 'info')) &&
      Array.isArray(getField(value, 'messages')) &&
      asList(getField(value, 'messages')).every(
        (one) => isFields(getField(one, 'info')) && Array.isArray(getField(one, 'parts')),
      ),
    read,
  },
};
