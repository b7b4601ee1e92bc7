import { type Message, type Part, result, text } from '@palimpsest/core';
import { asList, asString, type Fields, isFields } from '@palimpsest/core/json';
import { asRecords, asWord, getField, parseOrKeep } from '../fields.ts';
import { newRecorder, type Recorder } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';
import type { Reader } from './reader.ts';

function read(value: unknown): Recording {
  const recorder = newRecorder('swe-agent');
  const history = asRecords(getField(value, 'history'));
  let system: string | undefined;
  let calls: string[] = [];
  for (const [index, record] of history.entries()) {
    const id = `history-${index + 1}`;
    if (record.role === 'system') system = readWords(record.content);
    else if (record.role === 'assistant') calls = recordResponse(recorder, record, id);
    else {
      // An observation answers the action before it; the demonstration and the task come before any.
      const answered = asString(asList(record.tool_call_ids)[0]) ?? asString(record.tool_call_id) ?? calls[0];
      calls = calls.filter((callId) => callId !== answered);
      recorder.say(answered === undefined ? readPrompt(record, id) : readObservation(record, id, answered));
    }
  }
  const about = {
    id: asWord(getField(value, 'environment')),
    version: asWord(getField(value, 'info', 'swe_agent_version')),
  };
  return recorder.finish({ ...about, system });
}

const readWords = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : asRecords(content)
        .flatMap((piece) => asWord(piece.text) ?? [])
        .join('\n');

/** Says the response; the ids of its calls. */
function recordResponse(recorder: Recorder, record: Fields, id: string): string[] {
  const native = asRecords(record.tool_calls).map(
    (call): Part => ({
      type: 'call',
      callId: asString(call.id) ?? '',
      tool: asString(getField(call.function, 'name')) ?? '',
      input: parseOrKeep(asString(getField(call.function, 'arguments')) ?? '{}'),
    }),
  );
  const action = asWord(record.action);
  // Without native calls the action stands in the text, behind the thought.
  const written: readonly Part[] =
    native.length > 0 || action === undefined
      ? native
      : [{ type: 'call', callId: `${id}.call`, tool: 'bash', input: { command: action.trim() } }];
  const thought =
    written.length > 0
      ? (asWord(record.thought) ?? (native.length > 0 ? readWords(record.content) : ''))
      : readWords(record.content);
  recorder.say({ id, role: 'assistant', origin: 'model', parts: [text(thought), ...written] });
  return written.flatMap((part) => (part.type === 'call' ? part.callId : []));
}

const readPrompt = (record: Fields, id: string): Message => ({
  id,
  role: 'user',
  origin: record.is_demo === true || record.message_type === 'demonstration' ? 'harness' : 'human',
  parts: [text(readWords(record.content))],
});

const readObservation = (record: Fields, id: string, callId: string): Message => ({
  id,
  role: 'user',
  origin: 'tool',
  parts: [result(callId, readWords(record.content))],
});

export const sweAgent: Reader = {
  format: 'swe-agent',
  looksFor: 'an object with "history" and "trajectory"',
  document: {
    recognizes: (value) =>
      Array.isArray(getField(value, 'trajectory')) &&
      asRecords(getField(value, 'history')).some((record) => typeof record.role === 'string') &&
      isFields(value),
    read,
  },
};
