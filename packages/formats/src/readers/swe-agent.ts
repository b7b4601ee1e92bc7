import { type Message, type Part, result, text } from '@palimpsest/core';
import { at, type Fields, fieldsOf, listOf, parsedOr, recordsOf, stringOf, wordOf } from '../fields.ts';
import { type Draft, newDraft } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';
import type { Reader } from './reader.ts';

function read(value: unknown): Recording {
  const draft = newDraft('swe-agent');
  const history = recordsOf(at(value, 'history'));
  let system: string | undefined;
  let calls: string[] = [];
  for (const [index, record] of history.entries()) {
    const id = `history-${index + 1}`;
    if (record.role === 'system') system = wordsOf(record.content);
    else if (record.role === 'assistant') calls = respond(draft, record, id);
    else {
      // An observation answers the action before it; the demonstration and the task come before any.
      const answered = stringOf(listOf(record.tool_call_ids)[0]) ?? stringOf(record.tool_call_id) ?? calls[0];
      calls = calls.filter((callId) => callId !== answered);
      draft.say(answered === undefined ? told(record, id) : observed(record, id, answered));
    }
  }
  const about = {
    id: wordOf(at(value, 'environment')),
    version: wordOf(at(value, 'info', 'swe_agent_version')),
  };
  return draft.finish({ ...about, system });
}

const wordsOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : recordsOf(content)
        .flatMap((piece) => wordOf(piece.text) ?? [])
        .join('\n');

/** Says the response; the ids of its calls. */
function respond(draft: Draft, record: Fields, id: string): string[] {
  const native = recordsOf(record.tool_calls).map(
    (call): Part => ({
      type: 'call',
      callId: stringOf(call.id) ?? '',
      tool: stringOf(at(call.function, 'name')) ?? '',
      input: parsedOr(stringOf(at(call.function, 'arguments')) ?? '{}'),
    }),
  );
  const action = wordOf(record.action);
  // Without native calls the action stands in the text, behind the thought.
  const written: readonly Part[] =
    native.length > 0 || action === undefined
      ? native
      : [{ type: 'call', callId: `${id}.call`, tool: 'bash', input: { command: action.trim() } }];
  const thought =
    written.length > 0
      ? (wordOf(record.thought) ?? (native.length > 0 ? wordsOf(record.content) : ''))
      : wordsOf(record.content);
  draft.say({ id, role: 'assistant', origin: 'model', parts: [text(thought), ...written] });
  return written.flatMap((part) => (part.type === 'call' ? part.callId : []));
}

const told = (record: Fields, id: string): Message => ({
  id,
  role: 'user',
  origin: record.is_demo === true || record.message_type === 'demonstration' ? 'harness' : 'human',
  parts: [text(wordsOf(record.content))],
});

const observed = (record: Fields, id: string, callId: string): Message => ({
  id,
  role: 'user',
  origin: 'tool',
  parts: [result(callId, wordsOf(record.content))],
});

export const sweAgent: Reader = {
  format: 'swe-agent',
  looksFor: 'an object with "history" and "trajectory"',
  document: {
    recognizes: (value) =>
      Array.isArray(at(value, 'trajectory')) &&
      recordsOf(at(value, 'history')).some((record) => typeof record.role === 'string') &&
      fieldsOf(value) !== undefined,
    read,
  },
};
