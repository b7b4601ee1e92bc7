import { type Message, type Part, result, text } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import { readBlocks } from '../../content/anthropic-blocks.ts';
import { attributeParts, splitByAuthor } from '../../content/authored-part.ts';
import { asFieldsOrNone, asRecords, asWord, omitUndefined, readTime } from '../../fields.ts';
import { newRecorder, type Recorder } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import type { Reader } from '../reader.ts';
import { readMarkupCall } from './tool-markup.ts';

/** Opens what a tool called by markup answered: `[read_file for 'a.ts'] Result:`. */
const RESULT = /^\[([a-z_]+)(?: [\s\S]{0,4000}?)?\] Result:/;

function read(value: unknown): Recording {
  const recorder = newRecorder('cline');
  const records = asRecords(value);
  const summaries = new Set(records.flatMap((record) => (isMarker(record) ? (findMarkerId(record) ?? []) : [])));
  const hiddenBy = new Map<string, string>();
  for (const [index, record] of records.entries()) {
    const id = findId(records, index);
    const when = omitUndefined({ at: readTime(record.ts) });
    if (isMarker(record)) {
      recordCompaction(
        recorder,
        record,
        { id, role: readRole(record), origin: 'palimpsest', parts: readBlocks(record.content), ...when },
        hiddenBy,
      );
      continue;
    }
    const from = recorder.messages.length;
    for (const message of readMessages(records, index)) recorder.say({ ...message, ...when });
    const parent = [record.condenseParent, record.truncationParent].find((one) => summaries.has(asWord(one) ?? ''));
    if (parent !== undefined)
      for (const message of recorder.messages.slice(from)) hiddenBy.set(message.id, String(parent));
  }
  return recorder.finish({});
}

const readRole = (record: Fields): 'user' | 'assistant' => (record.role === 'assistant' ? 'assistant' : 'user');

function readMessages(records: readonly Fields[], index: number): readonly Message[] {
  const [record, before] = [records[index]!, records[index - 1]];
  const id = findId(records, index);
  const parts = readBlocks(record.content);
  if (record.role === 'assistant') {
    const tool = findAnsweredTool(records[index + 1]);
    return [{ id, role: 'assistant', origin: 'model', parts: tool === undefined ? parts : addCall(parts, tool, id) }];
  }
  const tool = findAnsweredTool(record);
  if (tool === undefined || before === undefined || !hasMarkup(before, tool))
    return splitByAuthor(id, attributeParts(parts), undefined);
  // The answer ends where the host describes the editor.
  const end = parts.findIndex((part) => part.type === 'text' && part.text.startsWith('<environment_details>'));
  const answer = parts.slice(0, end < 0 ? parts.length : end);
  const content = answer.filter((part) => part.type === 'text' || part.type === 'media' || part.type === 'native');
  const answered = result(makeCallId(findId(records, index - 1)), content);
  return splitByAuthor(id, attributeParts([answered, ...parts.slice(answer.length)]), undefined);
}

const findId = (records: readonly Fields[], index: number): string =>
  asWord(records[index]?.id) ?? `message-${index + 1}`;

const makeCallId = (messageId: string): string => `${messageId}.call`;

/** The tool that a user message answers in words. */
function findAnsweredTool(record: Fields | undefined): string | undefined {
  if (record === undefined || record.role !== 'user') return undefined;
  const first = readBlocks(record.content)[0];
  return first?.type === 'text' ? RESULT.exec(first.text)?.[1] : undefined;
}

const hasMarkup = (record: Fields, tool: string): boolean =>
  record.role === 'assistant' &&
  readBlocks(record.content).some((part) => part.type === 'text' && readMarkupCall(part.text, tool, '') !== undefined);

function addCall(parts: readonly Part[], tool: string, id: string): readonly Part[] {
  const place = parts.findLastIndex(
    (part) => part.type === 'text' && readMarkupCall(part.text, tool, '') !== undefined,
  );
  return parts.flatMap((part, index) =>
    index === place && part.type === 'text'
      ? (readMarkupCall(part.text, tool, makeCallId(id)) ?? text(part.text))
      : part,
  );
}

const isMarker = (record: Fields): boolean => record.isSummary === true || record.isTruncationMarker === true;

const findMarkerId = (record: Fields): string | undefined => asWord(record.condenseId) ?? asWord(record.truncationId);

/**
 * Roo keeps condensed messages in the file and names on each the summary that hides it. The summary stands before the
 * messages it kept, so the file does not tell how many of them had been said by then.
 */
function recordCompaction(
  recorder: Recorder,
  record: Fields,
  summary: Message,
  hiddenBy: ReadonlyMap<string, string>,
): void {
  const marker = findMarkerId(record);
  const kept = recorder.view().filter((message) => marker === undefined || hiddenBy.get(message.id) !== marker);
  const words = summary.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  recorder.compact({ type: 'summary', summary: words, summaryId: summary.id, ...omitUndefined({ when: summary.at }) }, [
    ...kept,
    summary,
  ]);
}

const isTurn = (value: unknown): boolean => {
  const record = asFieldsOrNone(value);
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
