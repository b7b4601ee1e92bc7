import type { Message, Part, ResultPart, Usage } from '@palimpsest/core';
import { type Tagged, userMessages, userOrigin } from '../../content/authored-part.ts';
import {
  at,
  type Fields,
  fieldsOf,
  given,
  jsonOf,
  listOf,
  numberOf,
  recordsOf,
  stringOf,
  timeOf,
  wordOf,
} from '../../fields.ts';
import { type Draft, newDraft } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import { jsonLines } from '../json-lines.ts';
import type { Reader } from '../reader.ts';
import { isSnapshot, looseParts, modelPart, resultFrom, userPart } from './part.ts';

/** One `MessageRecord` of a Gemini CLI chat. */
interface Entry {
  readonly id: string;
  readonly record: Fields;
}

type Step = Entry | { readonly replaced: readonly Entry[] };

const entryOf = (record: Fields, index: number): Entry => ({ id: wordOf(record.id) ?? `message-${index + 1}`, record });

function tell(draft: Draft, steps: readonly Step[], head: Fields): Recording {
  let model: string | undefined;
  for (const step of steps) {
    if ('replaced' in step) replace(draft, step.replaced);
    else {
      model = wordOf(step.record.model) ?? model;
      say(draft, step);
    }
  }
  const cwd = wordOf(listOf(head.directories)[0]);
  return draft.finish({ id: wordOf(head.sessionId), cwd, model });
}

function say(draft: Draft, entry: Entry): void {
  for (const message of messagesOf(entry)) {
    const place = draft.say(message);
    if (message.role === 'assistant') draft.report(place, usageFrom(entry.record.tokens));
  }
}

/** A user's or the model's message; `info`, `error` and `warning` are for the screen. */
function messagesOf({ id, record }: Entry): readonly Message[] {
  const time = timeOf(record.timestamp);
  if (record.type === 'user') return userMessages(id, userTagged(record), time);
  if (record.type !== 'gemini') return [];
  const calls = recordsOf(record.toolCalls);
  const when = given({ at: time });
  const messages: Message[] = [
    { id, role: 'assistant', origin: 'model', parts: [...spokenParts(record, id), ...calls.map(callPart)], ...when },
  ];
  const results = calls.flatMap((call) => resultPart(call) ?? []);
  if (results.length > 0) messages.push({ id: `${id}/results`, role: 'user', origin: 'tool', parts: results, ...when });
  return messages;
}

/** Files that the user's words refer to are put behind them, under a heading. */
function userTagged(record: Fields): readonly Tagged[] {
  let injected = false;
  return looseParts(record.content).map((one) => {
    const part = userPart(one, (response) => stringOf(response.id) ?? '');
    const origin = userOrigin(part);
    injected ||= origin === 'harness';
    return { part, origin: injected && origin === 'human' ? 'harness' : origin };
  });
}

function spokenParts(record: Fields, id: string): readonly Part[] {
  const thoughts = recordsOf(record.thoughts).map(
    (thought): Part => ({
      type: 'reasoning',
      text: [wordOf(thought.subject), wordOf(thought.description)].filter((words) => words !== undefined).join('\n'),
    }),
  );
  return [...thoughts, ...looseParts(record.content).map((part, index) => modelPart(part, `${id}.${index + 1}`))];
}

const callPart = (call: Fields): Part => ({
  type: 'call',
  callId: stringOf(call.id) ?? '',
  tool: stringOf(call.name) ?? '',
  input: jsonOf(call.args ?? {}),
});

function resultPart(call: Fields): ResultPart | undefined {
  const callId = stringOf(call.id) ?? '';
  const parts = looseParts(call.result);
  if (parts.length === 0) return undefined;
  const pieces = parts.map((part) => {
    const response = fieldsOf(part.functionResponse);
    return response === undefined ? userPart(part, () => '') : resultFrom(response, callId);
  });
  const content = pieces.flatMap((piece) =>
    piece.type === 'result'
      ? piece.content
      : piece.type === 'text' || piece.type === 'media' || piece.type === 'native'
        ? piece
        : [],
  );
  const failed =
    call.status === 'error' ||
    call.status === 'cancelled' ||
    pieces.some((piece) => piece.type === 'result' && piece.isError);
  return { type: 'result', callId, content, ...(failed ? { isError: true } : {}) };
}

function usageFrom(tokens: unknown): Usage | undefined {
  if (fieldsOf(tokens) === undefined) return undefined;
  const [input, output] = [numberOf(at(tokens, 'input')), numberOf(at(tokens, 'output'))];
  const cacheRead = numberOf(at(tokens, 'cached'));
  return given({
    // Cached tokens are counted as input, thoughts apart from the output.
    input: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0)),
    output: output === undefined ? undefined : output + (numberOf(at(tokens, 'thoughts')) ?? 0),
    cacheRead,
  });
}

/** The host put in another list of messages: a compression, or a turn that was rolled back. */
function replace(draft: Draft, entries: readonly Entry[]): void {
  const before = draft.view();
  const shown = new Map(before.map((message) => [message.id, message]));
  const next = entries.flatMap(messagesOf);
  if (before.every((message, index) => message.id === next[index]?.id)) {
    for (const entry of entries) if (!shown.has(entry.id)) say(draft, entry);
    return;
  }
  const view = next.map(
    (message): Message =>
      shown.get(message.id) ?? (message.parts.some(isSnapshot) ? { ...message, origin: 'palimpsest' } : message),
  );
  const summary = view.find((message) => message.origin === 'palimpsest');
  const words = summary?.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  draft.compact({ type: 'snapshot', ...given({ summary: words, summaryId: summary?.id }) }, view);
}

/**
 * The newer form is a log: a message is written again whenever its calls or tokens change, `$rewindTo` takes back a
 * message and all after it, `$set` changes the head and may put in other messages.
 */
function readLog(source: string | Uint8Array): Recording {
  const draft = newDraft('gemini-chat');
  let head: Fields = {};
  const steps: Step[] = [];
  const takenBack: Entry[] = [];
  for (const { record } of jsonLines(source, draft.note)) {
    const place = steps.findIndex((step) => 'id' in step && step.id === (record.$rewindTo ?? record.id));
    if (typeof record.$rewindTo === 'string') {
      const gone = steps.splice(Math.max(place, 0));
      takenBack.push(...gone.filter((step): step is Entry => 'id' in step));
    } else if (typeof record.id === 'string') {
      if (place < 0) steps.push({ id: record.id, record });
      else steps[place] = { id: record.id, record };
    } else {
      const change = fieldsOf(record.$set) ?? record;
      head = { ...head, ...change };
      if (Array.isArray(change.messages) && (steps.length > 0 || change.messages.length > 0))
        steps.push({ replaced: recordsOf(change.messages).map(entryOf) });
    }
  }
  const abandoned = takenBack.flatMap(messagesOf);
  draft.branch({ type: 'abandoned', messages: abandoned });
  if (abandoned.length > 0)
    draft.note(`${abandoned.length} message(s) were taken back and are not part of the conversation`);
  return tell(draft, steps, head);
}

const isHead = (value: unknown): boolean =>
  typeof at(value, 'sessionId') === 'string' && typeof at(value, 'projectHash') === 'string';

export const geminiChat: Reader = {
  format: 'gemini-chat',
  looksFor: '"sessionId", "projectHash" and "messages" of type user and gemini (or the same as lines)',
  document: {
    recognizes: (value) => isHead(value) && Array.isArray(at(value, 'messages')),
    read: (value) =>
      tell(newDraft('gemini-chat'), recordsOf(at(value, 'messages')).map(entryOf), fieldsOf(value) ?? {}),
  },
  lines: {
    recognizes: ([head]) => isHead(head) && head?.type === undefined,
    read: readLog,
  },
};
