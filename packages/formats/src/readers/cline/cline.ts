import { type Message, type Part, result, text } from '@palimpsest/core';
import { partsFromBlocks } from '../../content/anthropic-blocks.ts';
import { tagUser, userMessages } from '../../content/authored-part.ts';
import { type Fields, fieldsOf, given, recordsOf, timeOf, wordOf } from '../../fields.ts';
import { type Draft, newDraft } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import type { Reader } from '../reader.ts';
import { markupCall } from './tool-markup.ts';

/** Opens what a tool called by markup answered: `[read_file for 'a.ts'] Result:`. */
const RESULT = /^\[([a-z_]+)(?: [\s\S]{0,4000}?)?\] Result:/;

function read(value: unknown): Recording {
  const draft = newDraft('cline');
  const records = recordsOf(value);
  const summaries = new Set(records.flatMap((record) => (isMarker(record) ? (markerOf(record) ?? []) : [])));
  const hiddenBy = new Map<string, string>();
  for (const [index, record] of records.entries()) {
    const id = idAt(records, index);
    const when = given({ at: timeOf(record.ts) });
    if (isMarker(record)) {
      condense(
        draft,
        record,
        { id, role: roleOf(record), origin: 'palimpsest', parts: partsFromBlocks(record.content), ...when },
        hiddenBy,
      );
      continue;
    }
    const from = draft.messages.length;
    for (const message of messagesOf(records, index)) draft.say({ ...message, ...when });
    const parent = [record.condenseParent, record.truncationParent].find((one) => summaries.has(wordOf(one) ?? ''));
    if (parent !== undefined)
      for (const message of draft.messages.slice(from)) hiddenBy.set(message.id, String(parent));
  }
  return draft.finish({});
}

const roleOf = (record: Fields): 'user' | 'assistant' => (record.role === 'assistant' ? 'assistant' : 'user');

function messagesOf(records: readonly Fields[], index: number): readonly Message[] {
  const [record, before] = [records[index]!, records[index - 1]];
  const id = idAt(records, index);
  const parts = partsFromBlocks(record.content);
  if (record.role === 'assistant') {
    const tool = toolAnswered(records[index + 1]);
    return [{ id, role: 'assistant', origin: 'model', parts: tool === undefined ? parts : withCall(parts, tool, id) }];
  }
  const tool = toolAnswered(record);
  if (tool === undefined || before === undefined || !hasMarkup(before, tool))
    return userMessages(id, tagUser(parts), undefined);
  // The answer ends where the host describes the editor.
  const end = parts.findIndex((part) => part.type === 'text' && part.text.startsWith('<environment_details>'));
  const answer = parts.slice(0, end < 0 ? parts.length : end);
  const content = answer.filter((part) => part.type === 'text' || part.type === 'media' || part.type === 'native');
  const answered = result(callIdFor(idAt(records, index - 1)), content);
  return userMessages(id, tagUser([answered, ...parts.slice(answer.length)]), undefined);
}

const idAt = (records: readonly Fields[], index: number): string =>
  wordOf(records[index]?.id) ?? `message-${index + 1}`;

const callIdFor = (messageId: string): string => `${messageId}.call`;

/** The tool that a user message answers in words. */
function toolAnswered(record: Fields | undefined): string | undefined {
  if (record === undefined || record.role !== 'user') return undefined;
  const first = partsFromBlocks(record.content)[0];
  return first?.type === 'text' ? RESULT.exec(first.text)?.[1] : undefined;
}

const hasMarkup = (record: Fields, tool: string): boolean =>
  record.role === 'assistant' &&
  partsFromBlocks(record.content).some((part) => part.type === 'text' && markupCall(part.text, tool, '') !== undefined);

function withCall(parts: readonly Part[], tool: string, id: string): readonly Part[] {
  const place = parts.findLastIndex((part) => part.type === 'text' && markupCall(part.text, tool, '') !== undefined);
  return parts.flatMap((part, index) =>
    index === place && part.type === 'text' ? (markupCall(part.text, tool, callIdFor(id)) ?? text(part.text)) : part,
  );
}

const isMarker = (record: Fields): boolean => record.isSummary === true || record.isTruncationMarker === true;

const markerOf = (record: Fields): string | undefined => wordOf(record.condenseId) ?? wordOf(record.truncationId);

/**
 * Roo keeps condensed messages in the file and names on each the summary that hides it. The summary stands before the
 * messages it kept, so the file does not tell how many of them had been said by then.
 */
function condense(draft: Draft, record: Fields, summary: Message, hiddenBy: ReadonlyMap<string, string>): void {
  const marker = markerOf(record);
  const kept = draft.view().filter((message) => marker === undefined || hiddenBy.get(message.id) !== marker);
  const words = summary.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  draft.compact({ type: 'summary', summary: words, summaryId: summary.id, ...given({ when: summary.at }) }, [
    ...kept,
    summary,
  ]);
}

const isTurn = (value: unknown): boolean => {
  const record = fieldsOf(value);
  return (
    (record?.role === 'user' || record?.role === 'assistant') &&
    (typeof record.content === 'string' || Array.isArray(record.content))
  );
};

export const cline: Reader = {
  format: 'cline',
  looksFor: 'a list of objects with "role" (user or assistant) and "content"',
  document: { recognizes: (value) => Array.isArray(value) && value.length > 0 && value.every(isTurn), read },
};
