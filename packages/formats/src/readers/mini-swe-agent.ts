import { type Message, type Part, result, text, type Usage } from '@palimpsest/core';
import { asNumber, asString, type Fields, isFields } from '@palimpsest/core/json';
import { asRecords, asWord, getField, omitUndefined, parseOrKeep, readTime } from '../fields.ts';
import { newRecorder } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';
import type { Reader } from './reader.ts';

/** Before it used native calls, the agent had the model write one fenced command. */
const COMMAND = /```(?:mswea_bash_command|bash)\n([\s\S]*?)\n?```/;
const OBSERVATION = /^\s*<(?:returncode|output)>/;

function read(value: unknown): Recording {
  const recorder = newRecorder('mini-swe-agent');
  const records = asRecords(getField(value, 'messages'));
  let system: string | undefined;
  let exits = 0;
  for (const [index, record] of records.entries()) {
    const id = `message-${index + 1}`;
    const when = omitUndefined({ at: readTime(getField(record.extra, 'timestamp')) });
    if (record.role === 'system') system = readWords(record);
    else if (record.role === 'exit') exits++;
    else if (record.role === 'assistant') {
      const place = recorder.say({
        id,
        role: 'assistant',
        origin: 'model',
        parts: readResponse(record, records[index + 1], id),
        ...when,
      });
      recorder.report(place, readUsage(getField(record.extra, 'response', 'usage')));
    } else recorder.say({ ...readAnswer(record, records[index - 1], id, index), ...when });
  }
  if (exits > 0) recorder.note('the submission at the end was shown to no model and is left out');
  const info = getField(value, 'info');
  return recorder.finish({
    id: asWord(getField(value, 'instance_id')),
    cwd: asWord(getField(info, 'config', 'environment', 'cwd')),
    model: asWord(getField(info, 'config', 'model', 'model_name')),
    version: asWord(getField(info, 'mini_version')),
    system,
  });
}

const readWords = (record: Fields): string =>
  typeof record.content === 'string'
    ? record.content
    : asRecords(record.content)
        .flatMap((piece) => asWord(piece.text) ?? [])
        .join('\n');

const isObservation = (record: Fields | undefined): boolean =>
  record?.role === 'user' && OBSERVATION.test(readWords(record));

function readResponse(record: Fields, next: Fields | undefined, id: string): readonly Part[] {
  const words = readWords(record);
  const thought: Part = { type: 'reasoning', text: asString(record.reasoning_content) ?? '' };
  const calls = asRecords(record.tool_calls).map(
    (call): Part => ({
      type: 'call',
      callId: asString(call.id) ?? '',
      tool: asString(getField(call.function, 'name')) ?? '',
      input: parseOrKeep(asString(getField(call.function, 'arguments')) ?? '{}'),
    }),
  );
  const fenced = calls.length === 0 && isObservation(next) ? COMMAND.exec(words) : null;
  if (fenced === null) return [thought, text(words), ...calls];
  const rest = `${words.slice(0, fenced.index)}${words.slice(fenced.index + fenced[0].length)}`.trim();
  return [thought, text(rest), { type: 'call', callId: `${id}.call`, tool: 'bash', input: { command: fenced[1]! } }];
}

function readAnswer(record: Fields, before: Fields | undefined, id: string, index: number): Message {
  const words = readWords(record);
  const asked =
    before?.role === 'assistant' && COMMAND.test(readWords(before)) && asRecords(before.tool_calls).length === 0;
  const callId = record.role === 'tool' ? (asString(record.tool_call_id) ?? '') : `message-${index}.call`;
  if (record.role === 'tool' || (asked && isObservation(record)))
    return { id, role: 'user', origin: 'tool', parts: [result(callId, words)] };
  // The first is the task; later ones are the agent's complaints about a call it could not read.
  return { id, role: 'user', origin: index <= 1 ? 'human' : 'harness', parts: [text(words)] };
}

function readUsage(value: unknown): Usage | undefined {
  if (!isFields(value)) return undefined;
  const input = asNumber(getField(value, 'prompt_tokens'));
  const cacheRead = asNumber(getField(value, 'prompt_tokens_details', 'cached_tokens'));
  return omitUndefined({
    input: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0)),
    output: asNumber(getField(value, 'completion_tokens')),
    cacheRead,
  });
}

export const miniSweAgent: Reader = {
  format: 'mini-swe-agent',
  looksFor: 'an object with "messages" and a "trajectory_format" of mini-swe-agent',
  document: {
    recognizes: (value) =>
      Array.isArray(getField(value, 'messages')) &&
      (asString(getField(value, 'trajectory_format')) ?? '').startsWith('mini-swe-agent'),
    read,
  },
};
