import { type Message, type Part, result, text } from '@palimpsest/core';
import { userOrigin } from '../content/authored-part.ts';
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
} from '../fields.ts';
import { type Draft, newDraft } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';
import { jsonLines } from './json-lines.ts';
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
function tell(draft: Draft, events: readonly Fields[], name: string): string | undefined {
  const told: Told[] = [];
  let system: string | undefined;
  let open: string[] = [];
  for (const [index, event] of events.entries()) {
    const id = `${name}${stringOf(event.id) ?? numberOf(event.id) ?? index + 1}`;
    const kind = stringOf(event.action) ?? stringOf(event.observation) ?? '';
    if (event.action === 'system') system = wordOf(at(event.args, 'content'));
    if (event.action === 'condensation') condense(draft, event, id, told);
    else if (!SILENT.has(kind)) {
      const isAction = typeof event.action === 'string';
      const message = isAction ? acted(event, id) : observed(event, id, open);
      open = isAction ? [...open, ...callIds(message)] : open.filter((callId) => !callIds(message).includes(callId));
      const place = draft.say({ ...message, ...given({ at: timeOf(event.timestamp) }) });
      told.push({ id: numberOf(event.id), messages: place === undefined ? [] : [draft.messages[place]!] });
    }
  }
  return system;
}

const callIds = (message: Message): readonly string[] =>
  message.parts.flatMap((part) => (part.type === 'call' || part.type === 'result' ? part.callId : []));

/** A user's message, or what the agent said and called. Older events keep the arguments beside the action's name. */
function acted(event: Fields, id: string): Message {
  const args = fieldsOf(event.args) ?? event;
  const words = stringOf(args.content) ?? '';
  if (event.action === 'message' && event.source !== 'agent') {
    const part = text(words);
    return { id, role: 'user', origin: userOrigin(part), parts: [part] };
  }
  const thought = text(stringOf(args.thought) ?? '');
  if (event.action === 'message' || event.action === 'think')
    return { id, role: 'assistant', origin: 'model', parts: [thought, text(words)] };
  const input = Object.fromEntries(
    Object.entries(args).filter(([key, value]) => !NOT_INPUT.has(key) && value !== null),
  );
  const metadata = event.tool_call_metadata;
  const call: Part = {
    type: 'call',
    callId: wordOf(at(metadata, 'tool_call_id')) ?? `${id}.call`,
    tool: wordOf(at(metadata, 'function_name')) ?? String(event.action),
    input: jsonOf(input),
  };
  return { id, role: 'assistant', origin: 'model', parts: [thought, call] };
}

function observed(event: Fields, id: string, open: readonly string[]): Message {
  const callId = wordOf(at(event.tool_call_metadata, 'tool_call_id')) ?? open[0];
  const words = stringOf(event.content) ?? stringOf(event.message) ?? '';
  if (callId === undefined) return { id, role: 'user', origin: 'harness', parts: [text(words)] };
  const code = numberOf(event.exit_code) ?? numberOf(at(event.extras, 'metadata', 'exit_code')) ?? 0;
  return {
    id,
    role: 'user',
    origin: 'tool',
    parts: [result(callId, words, event.observation === 'error' || code > 0)],
  };
}

/** The agent forgot some events; a summary may stand where they were. */
function condense(draft: Draft, event: Fields, id: string, told: readonly Told[]): void {
  const args = event.args;
  const listed = new Set(listOf(at(args, 'forgotten_event_ids')).flatMap((one) => numberOf(one) ?? []));
  const [from, to] = [numberOf(at(args, 'forgotten_events_start_id')), numberOf(at(args, 'forgotten_events_end_id'))];
  const isGone = (one: number | undefined): boolean =>
    one !== undefined && (listed.has(one) || (from !== undefined && to !== undefined && one >= from && one <= to));
  const gone = new Set(told.flatMap((one) => (isGone(one.id) ? one.messages.map((message) => message.id) : [])));
  const kept = draft.view().filter((message) => !gone.has(message.id));
  const words = wordOf(at(args, 'summary'));
  const when = timeOf(event.timestamp);
  if (words === undefined) {
    draft.compact({ type: 'snapshot', ...given({ when }) }, kept);
    return;
  }
  const offset = numberOf(at(args, 'summary_offset')) ?? kept.length;
  const summary: Message = { id, role: 'user', origin: 'palimpsest', parts: [text(words)], ...given({ at: when }) };
  const view = [...kept.slice(0, offset), summary, ...kept.slice(offset)];
  draft.compact({ type: 'summary', summary: words, summaryId: id, ...given({ when }) }, view);
}

/** The resolver writes one conversation a line; they are read one after the other. */
function readLines(source: string | Uint8Array): Recording {
  const draft = newDraft('openhands');
  let conversations = 0;
  let system: string | undefined;
  for (const { record } of jsonLines(source, draft.note)) {
    if (!Array.isArray(record.history)) continue;
    if (conversations++ > 0) draft.restart();
    system = tell(draft, recordsOf(record.history), `${conversations}.`) ?? system;
  }
  if (conversations > 1)
    draft.note(`the file holds ${conversations} conversations; no view reaches from one into another`);
  return draft.finish({ system });
}

const eventsIn = (value: unknown): readonly Fields[] =>
  recordsOf(Array.isArray(value) ? value : (at(value, 'trajectory') ?? at(value, 'history') ?? at(value, 'events')));

const areEvents = (events: readonly Fields[]): boolean =>
  events.length > 0 &&
  events.every((event) => typeof event.action === 'string' || typeof event.observation === 'string');

export const openhands: Reader = {
  format: 'openhands',
  looksFor: 'a list (or "history", "trajectory", "events") of objects with "action" or "observation"',
  document: {
    recognizes: (value) => areEvents(eventsIn(value)),
    read: (value) => {
      const draft = newDraft('openhands');
      const system = tell(draft, eventsIn(value), 'event-');
      return draft.finish({ system });
    },
  },
  lines: { recognizes: (records) => records.some((record) => areEvents(recordsOf(record.history))), read: readLines },
};
