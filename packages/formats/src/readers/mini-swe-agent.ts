import { type Message, type Part, result, text, type Usage } from '@palimpsest/core';
import {
  at,
  type Fields,
  fieldsOf,
  given,
  numberOf,
  parsedOr,
  recordsOf,
  stringOf,
  timeOf,
  wordOf,
} from '../fields.ts';
import { newDraft } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';
import type { Reader } from './reader.ts';

/** Before it used native calls, the agent had the model write one fenced command. */
const COMMAND = /```(?:mswea_bash_command|bash)\n([\s\S]*?)\n?```/;
const OBSERVATION = /^\s*<(?:returncode|output)>/;

function read(value: unknown): Recording {
  const draft = newDraft('mini-swe-agent');
  const records = recordsOf(at(value, 'messages'));
  let system: string | undefined;
  let exits = 0;
  for (const [index, record] of records.entries()) {
    const id = `message-${index + 1}`;
    const when = given({ at: timeOf(at(record.extra, 'timestamp')) });
    if (record.role === 'system') system = wordsIn(record);
    else if (record.role === 'exit') exits++;
    else if (record.role === 'assistant') {
      const place = draft.say({
        id,
        role: 'assistant',
        origin: 'model',
        parts: spoken(record, records[index + 1], id),
        ...when,
      });
      draft.report(place, usageFrom(at(record.extra, 'response', 'usage')));
    } else draft.say({ ...answer(record, records[index - 1], id, index), ...when });
  }
  if (exits > 0) draft.note('the submission at the end was shown to no model and is left out');
  const info = at(value, 'info');
  return draft.finish({
    id: wordOf(at(value, 'instance_id')),
    cwd: wordOf(at(info, 'config', 'environment', 'cwd')),
    model: wordOf(at(info, 'config', 'model', 'model_name')),
    version: wordOf(at(info, 'mini_version')),
    system,
  });
}

const wordsIn = (record: Fields): string =>
  typeof record.content === 'string'
    ? record.content
    : recordsOf(record.content)
        .flatMap((piece) => wordOf(piece.text) ?? [])
        .join('\n');

const isObservation = (record: Fields | undefined): boolean =>
  record?.role === 'user' && OBSERVATION.test(wordsIn(record));

function spoken(record: Fields, next: Fields | undefined, id: string): readonly Part[] {
  const words = wordsIn(record);
  const thought: Part = { type: 'reasoning', text: stringOf(record.reasoning_content) ?? '' };
  const calls = recordsOf(record.tool_calls).map(
    (call): Part => ({
      type: 'call',
      callId: stringOf(call.id) ?? '',
      tool: stringOf(at(call.function, 'name')) ?? '',
      input: parsedOr(stringOf(at(call.function, 'arguments')) ?? '{}'),
    }),
  );
  const fenced = calls.length === 0 && isObservation(next) ? COMMAND.exec(words) : null;
  if (fenced === null) return [thought, text(words), ...calls];
  const rest = `${words.slice(0, fenced.index)}${words.slice(fenced.index + fenced[0].length)}`.trim();
  return [thought, text(rest), { type: 'call', callId: `${id}.call`, tool: 'bash', input: { command: fenced[1]! } }];
}

function answer(record: Fields, before: Fields | undefined, id: string, index: number): Message {
  const words = wordsIn(record);
  const asked =
    before?.role === 'assistant' && COMMAND.test(wordsIn(before)) && recordsOf(before.tool_calls).length === 0;
  const callId = record.role === 'tool' ? (stringOf(record.tool_call_id) ?? '') : `message-${index}.call`;
  if (record.role === 'tool' || (asked && isObservation(record)))
    return { id, role: 'user', origin: 'tool', parts: [result(callId, words)] };
  // The first is the task; later ones are the agent's complaints about a call it could not read.
  return { id, role: 'user', origin: index <= 1 ? 'human' : 'harness', parts: [text(words)] };
}

function usageFrom(value: unknown): Usage | undefined {
  if (fieldsOf(value) === undefined) return undefined;
  const input = numberOf(at(value, 'prompt_tokens'));
  const cacheRead = numberOf(at(value, 'prompt_tokens_details', 'cached_tokens'));
  return given({
    input: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0)),
    output: numberOf(at(value, 'completion_tokens')),
    cacheRead,
  });
}

export const miniSweAgent: Reader = {
  format: 'mini-swe-agent',
  looksFor: 'an object with "messages" and a "trajectory_format" of mini-swe-agent',
  document: {
    recognizes: (value) =>
      Array.isArray(at(value, 'messages')) &&
      (stringOf(at(value, 'trajectory_format')) ?? '').startsWith('mini-swe-agent'),
    read,
  },
};
