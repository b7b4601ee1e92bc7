import { type Message, type Part, result, text } from '@palimpsest/core';
import { asList, asNumber, asString, type Fields } from '@palimpsest/core/json';
import { findUserOrigin } from '../content/authored-part.ts';
import { asFieldsOrNone, asJson, asRecords, asWord, getField, omitUndefined, readTime } from '../fields.ts';
import { newRecorder, type Recorder } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';
import { readJsonLines } from './json-lines.ts';
import type { Reader } from './reader.ts';

/** Actions and observations that concern only the host. */
const SILENT = new Set([
  'change_agent_state',
  'agent_state_changed',
  'null',
  'system',
  'recall',
  'condensation_request',
  'loop_recovery',
]);
/** Fields of an action that are no argument of the tool. */
const NOT_INPUT = new Set([
  'action',
  'thought',
  'action_risk',
  'is_confirmed',
  'confirmation_state',
  'keep_prompt',
  'kernel_init_code',
  'security_risk',
  'hidden',
  'blocking',
  'cwd',
  'impl_source',
]);

interface Told {
  readonly id: number | undefined;
  readonly messages: readonly Message[];
}

/** One conversation: a list of actions (the user's, the agent's) and observations. */
function recordEvents(recorder: Recorder, events: readonly Fields[], name: string): string | undefined {
  const told: Told[] = [];
  let system: string | undefined;
  let open: string[] = [];
  for (const [index, event] of events.entries()) {
    const id = `${name}${asString(event.id) ?? asNumber(event.id) ?? index + 1}`;
    const kind = asString(event.action) ?? asString(event.observation) ?? '';
    if (event.action === 'system') system = asWord(getField(event.args, 'content'));
    if (event.action === 'condensation') recordCompaction(recorder, event, id, told);
    else if (!SILENT.has(kind)) {
      const isAction = typeof event.action === 'string';
      const message = isAction ? readAction(event, id) : readObservation(event, id, open);
      open = isAction
        ? [...open, ...listCallIds(message)]
        : open.filter((callId) => !listCallIds(message).includes(callId));
      const place = recorder.say({ ...message, ...omitUndefined({ at: readTime(event.timestamp) }) });
      told.push({ id: asNumber(event.id), messages: place === undefined ? [] : [recorder.messages[place]!] });
    }
  }
  return system;
}

const listCallIds = (message: Message): readonly string[] =>
  message.parts.flatMap((part) => (part.type === 'call' || part.type === 'result' ? part.callId : []));

/** A user's message, or what the agent said and called. Older events keep the arguments beside the action's name. */
function readAction(event: Fields, id: string): Message {
  const args = asFieldsOrNone(event.args) ?? event;
  const words = asString(args.content) ?? '';
  if (event.action === 'message' && event.source !== 'agent') {
    const part = text(words);
    return { id, role: 'user', origin: findUserOrigin(part), parts: [part] };
  }
  const thought = text(asString(args.thought) ?? '');
  if (event.action === 'message' || event.action === 'think')
    return { id, role: 'assistant', origin: 'model', parts: [thought, text(words)] };
  const input = Object.fromEntries(
    Object.entries(args).filter(([key, value]) => !NOT_INPUT.has(key) && value !== null),
  );
  const metadata = event.tool_call_metadata;
  const call: Part = {
    type: 'call',
    callId: asWord(getField(metadata, 'tool_call_id')) ?? `${id}.call`,
    tool: asWord(getField(metadata, 'function_name')) ?? String(event.action),
    input: asJson(input),
  };
  return { id, role: 'assistant', origin: 'model', parts: [thought, call] };
}

function readObservation(event: Fields, id: string, open: readonly string[]): Message {
  const callId = asWord(getField(event.tool_call_metadata, 'tool_call_id')) ?? open[0];
  const words = asString(event.content) ?? asString(event.message) ?? '';
  if (callId === undefined) return { id, role: 'user', origin: 'harness', parts: [text(words)] };
  const code = asNumber(event.exit_code) ?? asNumber(getField(event.extras, 'metadata', 'exit_code')) ?? 0;
  return {
    id,
    role: 'user',
    origin: 'tool',
    parts: [result(callId, words, event.observation === 'error' || code > 0)],
  };
}

/** The agent forgot some events; a summary may stand where they were. */
function recordCompaction(recorder: Recorder, event: Fields, id: string, told: readonly Told[]): void {
  const args = event.args;
  const listed = new Set(asList(getField(args, 'forgotten_event_ids')).flatMap((one) => asNumber(one) ?? []));
  const [from, to] = [
    asNumber(getField(args, 'forgotten_events_start_id')),
    asNumber(getField(args, 'forgotten_events_end_id')),
  ];
  const isGone = (one: number | undefined): boolean =>
    one !== undefined && (listed.has(one) || (from !== undefined && to !== undefined && one >= from && one <= to));
  const gone = new Set(told.flatMap((one) => (isGone(one.id) ? one.messages.map((message) => message.id) : [])));
  const kept = recorder.view().filter((message) => !gone.has(message.id));
  const words = asWord(getField(args, 'summary'));
  const when = readTime(event.timestamp);
  if (words === undefined) {
    recorder.compact({ type: 'snapshot', ...omitUndefined({ when }) }, kept);
    return;
  }
  const offset = asNumber(getField(args, 'summary_offset')) ?? kept.length;
  const summary: Message = {
    id,
    role: 'user',
    origin: 'palimpsest',
    parts: [text(words)],
    ...omitUndefined({ at: when }),
  };
  const view = [...kept.slice(0, offset), summary, ...kept.slice(offset)];
  recorder.compact({ type: 'summary', summary: words, summaryId: id, ...omitUndefined({ when }) }, view);
}

/** The resolver writes one conversation a line; they are read one after the other. */
function readLines(source: string | Uint8Array): Recording {
  const recorder = newRecorder('openhands');
  let conversations = 0;
  let system: string | undefined;
  for (const { record } of readJsonLines(source, recorder.note)) {
    if (!Array.isArray(record.history)) continue;
    if (conversations++ > 0) recorder.restart();
    system = recordEvents(recorder, asRecords(record.history), `${conversations}.`) ?? system;
  }
  if (conversations > 1)
    recorder.note(`the file holds ${conversations} conversations; no view reaches from one into another`);
  return recorder.finish({ system });
}

const findEvents = (value: unknown): readonly Fields[] =>
  asRecords(
    Array.isArray(value)
      ? value
      : (getField(value, 'trajectory') ?? getField(value, 'history') ?? getField(value, 'events')),
  );

const areEvents = (events: readonly Fields[]): boolean =>
  events.length > 0 &&
  events.every((event) => typeof event.action === 'string' || typeof event.observation === 'string');

export const openhands: Reader = {
  format: 'openhands',
  looksFor: 'a list (or "history", "trajectory", "events") of objects with "action" or "observation"',
  document: {
    recognizes: (value) => areEvents(findEvents(value)),
    read: (value) => {
      const recorder = newRecorder('openhands');
      const system = recordEvents(recorder, findEvents(value), 'event-');
      return recorder.finish({ system });
    },
  },
  lines: { recognizes: (records) => records.some((record) => areEvents(asRecords(record.history))), read: readLines },
};
