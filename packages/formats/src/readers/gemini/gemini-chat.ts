import type { Message, Part, ResultPart, Usage } from '@palimpsest/core';
import { asFields, asList, asNumber, asString, type Fields, isFields } from '@palimpsest/core/json';
import { type AuthoredPart, findUserOrigin, splitByAuthor } from '../../content/authored-part.ts';
import { asFieldsOrNone, asJson, asRecords, asWord, getField, omitUndefined, readTime } from '../../fields.ts';
import { newRecorder, type Recorder } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import { readJsonLines } from '../json-lines.ts';
import type { Reader } from '../reader.ts';
import { isSnapshot, listParts, readModelPart, readResult, readUserPart } from './part.ts';

/** One `MessageRecord` of a Gemini CLI chat. */
interface Entry {
  readonly id: string;
  readonly record: Fields;
}

type Step = Entry | { readonly replaced: readonly Entry[] };

const makeEntry = (record: Fields, index: number): Entry => ({
  id: asWord(record.id) ?? `message-${index + 1}`,
  record,
});

function recordSteps(recorder: Recorder, steps: readonly Step[], head: Fields): Recording {
  let model: string | undefined;
  for (const step of steps) {
    if ('replaced' in step) recordReplacement(recorder, step.replaced);
    else {
      model = asWord(step.record.model) ?? model;
      recordEntry(recorder, step);
    }
  }
  const cwd = asWord(asList(head.directories)[0]);
  return recorder.finish({ id: asWord(head.sessionId), cwd, model });
}

function recordEntry(recorder: Recorder, entry: Entry): void {
  for (const message of readMessages(entry)) {
    const place = recorder.say(message);
    if (message.role === 'assistant')
      recorder.report(place, readUsage(entry.record.tokens), { model: asWord(entry.record.model) });
  }
}

/** A user's or the model's message; `info`, `error` and `warning` are for the screen. */
function readMessages({ id, record }: Entry): readonly Message[] {
  const time = readTime(record.timestamp);
  if (record.type === 'user') return splitByAuthor(id, readUserParts(record), time);
  if (record.type !== 'gemini') return [];
  const calls = asRecords(record.toolCalls);
  const when = omitUndefined({ at: time });
  const messages: Message[] = [
    { id, role: 'assistant', origin: 'model', parts: [...readResponse(record, id), ...calls.map(readCall)], ...when },
  ];
  const results = calls.flatMap((call) => readToolResult(call) ?? []);
  if (results.length > 0) messages.push({ id: `${id}/results`, role: 'user', origin: 'tool', parts: results, ...when });
  return messages;
}

/** Files that the user's words refer to are put behind them, under a heading. */
function readUserParts(record: Fields): readonly AuthoredPart[] {
  let injected = false;
  return listParts(record.content).map((one) => {
    const part = readUserPart(one, (response) => asString(response.id) ?? '');
    const origin = findUserOrigin(part);
    injected ||= origin === 'harness';
    return { part, origin: injected && origin === 'human' ? 'harness' : origin };
  });
}

function readResponse(record: Fields, id: string): readonly Part[] {
  const thoughts = asRecords(record.thoughts).map(
    (thought): Part => ({
      type: 'reasoning',
      text: [asWord(thought.subject), asWord(thought.description)].filter((words) => words !== undefined).join('\n'),
    }),
  );
  return [...thoughts, ...listParts(record.content).map((part, index) => readModelPart(part, `${id}.${index + 1}`))];
}

const readCall = (call: Fields): Part => ({
  type: 'call',
  callId: asString(call.id) ?? '',
  tool: asString(call.name) ?? '',
  input: asJson(call.args ?? {}),
});

function readToolResult(call: Fields): ResultPart | undefined {
  const callId = asString(call.id) ?? '';
  const parts = listParts(call.result);
  if (parts.length === 0) return undefined;
  const answers = parts.map((part) => {
    const response = asFieldsOrNone(part.functionResponse);
    return response === undefined ? readUserPart(part, () => '') : readResult(response, callId);
  });
  const content = answers.flatMap((piece) =>
    piece.type === 'result'
      ? piece.content
      : piece.type === 'text' || piece.type === 'media' || piece.type === 'native'
        ? piece
        : [],
  );
  const failed =
    call.status === 'error' ||
    call.status === 'cancelled' ||
    answers.some((piece) => piece.type === 'result' && piece.isError);
  return { type: 'result', callId, content, ...(failed ? { isError: true } : {}) };
}

function readUsage(tokens: unknown): Usage | undefined {
  if (!isFields(tokens)) return undefined;
  const [input, output] = [asNumber(getField(tokens, 'input')), asNumber(getField(tokens, 'output'))];
  const cacheRead = asNumber(getField(tokens, 'cached'));
  return omitUndefined({
    // Cached tokens are counted as input, thoughts apart from the output.
    input: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0)),
    output: output === undefined ? undefined : output + (asNumber(getField(tokens, 'thoughts')) ?? 0),
    cacheRead,
  });
}

/** The host put in another list of messages: a compression, or a turn that was rolled back. */
function recordReplacement(recorder: Recorder, entries: readonly Entry[]): void {
  const before = recorder.view();
  const shown = new Map(before.map((message) => [message.id, message]));
  const next = entries.flatMap(readMessages);
  if (before.every((message, index) => message.id === next[index]?.id)) {
    for (const entry of entries) if (!shown.has(entry.id)) recordEntry(recorder, entry);
    return;
  }
  const view = next.map(
    (message): Message =>
      shown.get(message.id) ?? (message.parts.some(isSnapshot) ? { ...message, origin: 'palimpsest' } : message),
  );
  const summary = view.find((message) => message.origin === 'palimpsest');
  const words = summary?.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  recorder.compact({ type: 'snapshot', ...omitUndefined({ summary: words, summaryId: summary?.id }) }, view);
}

/**
 * The newer form is a log: a message is written again whenever its calls or tokens change, `$rewindTo` takes back a
 * message and all after it, `$set` changes the head and may put in other messages.
 */
function readLog(source: string | Uint8Array): Recording {
  const recorder = newRecorder('gemini-chat');
  let head: Fields = {};
  const steps: Step[] = [];
  const takenBack: Entry[] = [];
  for (const { record } of readJsonLines(source, recorder.note)) {
    const place = steps.findIndex((step) => 'id' in step && step.id === (record.$rewindTo ?? record.id));
    if (typeof record.$rewindTo === 'string') {
      const gone = steps.splice(Math.max(place, 0));
      takenBack.push(...gone.filter((step): step is Entry => 'id' in step));
    } else if (typeof record.id === 'string') {
      if (place < 0) steps.push({ id: record.id, record });
      else steps[place] = { id: record.id, record };
    } else {
      const change = asFieldsOrNone(record.$set) ?? record;
      head = { ...head, ...change };
      if (Array.isArray(change.messages) && (steps.length > 0 || change.messages.length > 0))
        steps.push({ replaced: asRecords(change.messages).map(makeEntry) });
    }
  }
  const abandoned = takenBack.flatMap(readMessages);
  recorder.branch({ type: 'abandoned', messages: abandoned });
  if (abandoned.length > 0)
    recorder.note(`${abandoned.length} message(s) were taken back and are not part of the conversation`);
  return recordSteps(recorder, steps, head);
}

const isHead = (value: unknown): boolean =>
  typeof getField(value, 'sessionId') === 'string' && typeof getField(value, 'projectHash') === 'string';

export const geminiChat: Reader = {
  format: 'gemini-chat',
  looksFor: '"sessionId", "projectHash" and "messages" of type user and gemini (or the same as lines)',
  document: {
    recognizes: (value) => isHead(value) && Array.isArray(getField(value, 'messages')),
    read: (value) =>
      recordSteps(newRecorder('gemini-chat'), asRecords(getField(value, 'messages')).map(makeEntry), asFields(value)),
  },
  lines: {
    recognizes: ([head]) => isHead(head) && head?.type === undefined,
    read: readLog,
  },
};
