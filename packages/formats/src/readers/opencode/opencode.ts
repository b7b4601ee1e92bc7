import { type Message, text } from '@palimpsest/core';
import { at, fieldsOf, given, listOf, numberOf, recordsOf, stringOf, wordOf } from '../../fields.ts';
import { clearResults } from '../../recording/clear-results.ts';
import { type Draft, newDraft } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import type { Reader } from '../reader.ts';
import { type Entry, entryOf, messagesOf, sayResponse, usageFrom } from './entry.ts';

/** What the compaction's user message asked; the recording holds only that it did. */
const ASKED = '[asked for a summary of the work so far]';

function read(value: unknown): Recording {
  const draft = newDraft('opencode');
  const info = fieldsOf(at(value, 'info')) ?? {};
  let entries = recordsOf(at(value, 'messages')).map(entryOf);
  const reverted = entries.findIndex((entry) => entry.id === at(info.revert, 'messageID'));
  if (reverted >= 0) {
    draft.branch({ type: 'abandoned', messages: entries.slice(reverted).flatMap(messagesOf) });
    draft.note(`${entries.length - reverted} message(s) were taken back and are not part of the conversation`);
    entries = entries.slice(0, reverted);
  }
  const prunes = prunesOf(entries);
  let model: string | undefined;
  for (const [index, entry] of entries.entries()) {
    prune(draft, prunes, entry.time ?? 0);
    model = wordOf(entry.info.modelID) ?? model;
    if (entry.parts.some((part) => part.type === 'compaction')) {
      const summary = entries.find((other, i) => i > index && isSummaryOf(other, entry));
      if (summary !== undefined) compact(draft, entry, summary);
    } else if (entry.info.role !== 'assistant') for (const message of messagesOf(entry)) draft.say(message);
    else if (entry.info.summary !== true) sayResponse(draft, entry);
  }
  prune(draft, prunes, Number.POSITIVE_INFINITY);
  return draft.finish({
    id: wordOf(info.id),
    cwd: wordOf(info.directory),
    version: wordOf(info.version),
    model,
  });
}

const isSummaryOf = (entry: Entry, asked: Entry): boolean =>
  entry.info.summary === true &&
  entry.info.parentID === asked.id &&
  entry.info.error === undefined &&
  entry.info.finish !== undefined;

/** The model then sees the request, the summary, and the tail that the request names. */
function compact(draft: Draft, asked: Entry, summary: Entry): void {
  const part = asked.parts.find((one) => one.type === 'compaction') ?? {};
  const words = summary.parts.flatMap((one) => (one.type === 'text' ? (wordOf(one.text) ?? []) : [])).join('\n');
  const request: Message = {
    id: asked.id,
    role: 'user',
    origin: 'harness',
    parts: [text(ASKED)],
    ...given({ at: asked.time }),
  };
  const answer: Message = {
    id: summary.id,
    role: 'assistant',
    origin: 'palimpsest',
    parts: [text(words)],
    ...given({ at: summary.time }),
  };
  const view = draft.view();
  const from = view.findIndex((message) => message.id === part.tail_start_id);
  const usage = summary.parts.findLast((one) => one.type === 'step-finish');
  draft.compact(
    {
      type: 'summary',
      trigger: part.auto === true ? 'auto' : 'manual',
      summary: words,
      summaryId: summary.id,
      ...given({ when: summary.time, usage: usageFrom(usage?.tokens) }),
    },
    [request, answer, ...(from < 0 ? [] : view.slice(from))],
  );
}

/** Outputs that were pruned later: the call, and when. */
const prunesOf = (entries: readonly Entry[]): { readonly callId: string; readonly time: number }[] =>
  entries
    .flatMap((entry) => entry.parts)
    .flatMap((part) => {
      const time = numberOf(at(part.state, 'time', 'compacted'));
      return time === undefined ? [] : [{ callId: stringOf(part.callID) ?? '', time }];
    })
    .sort((a, b) => a.time - b.time);

function prune(draft: Draft, prunes: { readonly callId: string; readonly time: number }[], before: number): void {
  const due = prunes.splice(0, prunes.findLastIndex((one) => one.time < before) + 1);
  if (due.length === 0) return;
  const cleared = due.map((one) => one.callId);
  draft.compact(
    { type: 'clear', trigger: 'auto', cleared, when: due[0]!.time },
    clearResults(draft.view(), new Set(cleared)),
  );
}

export const opencode: Reader = {
  format: 'opencode',
  looksFor: 'an object with "info" and "messages", each message with "info" and "parts"',
  document: {
    recognizes: (value) =>
      fieldsOf(at(value, 'info')) !== undefined &&
      Array.isArray(at(value, 'messages')) &&
      listOf(at(value, 'messages')).every(
        (one) => fieldsOf(at(one, 'info')) !== undefined && Array.isArray(at(one, 'parts')),
      ),
    read,
  },
};
