import type { Message, Part, Usage } from '@palimpsest/core';
import { asNumber, asString, type Fields, isFields, isSameJson } from '@palimpsest/core/json';
import { attributeParts, splitByAuthor } from '../../content/authored-part.ts';
import { asFieldsOrNone, asRecords, asWord, getField, omitUndefined, readTime } from '../../fields.ts';
import { type AboutSession, dropEmptyParts, newRecorder, type Recorder } from '../../recording/recorder.ts';
import type { RecordedUsage, Recording } from '../../recording/recording.ts';
import { readJsonLines } from '../json-lines.ts';
import type { Reader } from '../reader.ts';
import { findSide, readItem } from './item.ts';

const RECORD_TYPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);

/** How much of the user's words an old Codex, which recorded only its summary, carried over: 20,000 tokens. */
const SURVIVING_CHARS = 80_000;

type Step =
  | { readonly type: 'item'; readonly id: string; readonly time: number | undefined; readonly item: Fields }
  | { readonly type: 'usage'; readonly usage: Usage; readonly about: Omit<RecordedUsage, 'after' | 'usage'> }
  | { readonly type: 'compacted'; readonly id: string; readonly time: number | undefined; readonly payload: Fields };

function read(source: string | Uint8Array): Recording {
  const recorder = newRecorder('codex');
  const about: AboutSession = {};
  const steps = readSteps(source, recorder, about);
  let response: { readonly id: string; readonly time: number | undefined; readonly parts: Part[] } | undefined;
  let answer: number | undefined;
  // Items of one response stand on several lines and make one message.
  const endResponse = (): void => {
    if (response === undefined) return;
    const { id, time, parts } = response;
    answer = recorder.say({ id, role: 'assistant', origin: 'model', parts, ...omitUndefined({ at: time }) }) ?? answer;
    response = undefined;
  };
  for (const step of steps) {
    if (step.type === 'item' && findSide(step.item) === 'model') {
      response ??= { id: step.id, time: step.time, parts: [] };
      response.parts.push(...readItem(step.item));
      continue;
    }
    endResponse();
    if (step.type === 'item') for (const message of readMessages(step.item, step.id, step.time)) recorder.say(message);
    else if (step.type === 'usage') recorder.report(answer, step.usage, step.about);
    else recordCompaction(recorder, step);
  }
  endResponse();
  return recorder.finish(about);
}

function readSteps(source: string | Uint8Array, recorder: Recorder, about: AboutSession): readonly Step[] {
  const steps: Step[] = [];
  let total: unknown;
  for (const { line, record } of readJsonLines(source, recorder.note)) {
    // The first versions wrote the items bare, behind a head line.
    const payload = asFieldsOrNone(record.payload) ?? record;
    const time = readTime(record.timestamp);
    const id = asWord(payload.id) ?? `line-${line}`;
    if (record.type === 'session_meta' || (line === 1 && record.payload === undefined)) {
      about.id = asWord(payload.id);
      about.cwd = asWord(payload.cwd);
      about.version = asWord(payload.cli_version);
      about.system = asWord(getField(payload.base_instructions, 'text')) ?? asWord(payload.instructions);
    } else if (record.type === 'turn_context') {
      about.cwd ??= asWord(payload.cwd);
      about.model = asWord(payload.model) ?? about.model;
    } else if (record.type === 'compacted') steps.push({ type: 'compacted', id: `line-${line}`, time, payload });
    else if (record.type === 'event_msg') {
      if (payload.type === 'thread_rolled_back') rollBack(steps, asNumber(payload.num_turns) ?? 0, recorder);
      const usage = readUsage(getField(payload.info, 'last_token_usage'));
      const sum = getField(payload.info, 'total_token_usage');
      // The same numbers are told again after a compaction and with every change of the rate limits.
      if (payload.type !== 'token_count' || usage === undefined || isSameJson(sum, total)) continue;
      total = sum;
      const window = asNumber(getField(payload.info, 'model_context_window'));
      // A fork begins with the events of the session that it was forked from; the running total names the request.
      const request = `${about.id} ${JSON.stringify(sum)}`;
      steps.push({ type: 'usage', usage, about: omitUndefined({ window, model: about.model, request }) });
    } else if (findSide(payload) !== undefined) steps.push({ type: 'item', id, time, item: payload });
  }
  return steps;
}

function readUsage(value: unknown): Usage | undefined {
  const usage = asFieldsOrNone(value);
  if (usage === undefined) return undefined;
  const cacheRead = asNumber(usage.cached_input_tokens);
  const input = asNumber(usage.input_tokens);
  return omitUndefined({
    // Here the provider counts cached tokens as input.
    input: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0)),
    output: asNumber(usage.output_tokens),
    cacheRead,
  });
}

/** Items that are not the model's, as messages. */
function readMessages(item: Fields, id: string, time: number | undefined): readonly Message[] {
  const side = findSide(item);
  const parts = readItem(item);
  if (side === 'compaction') return [{ id, role: 'user', origin: 'palimpsest', parts, ...omitUndefined({ at: time }) }];
  return splitByAuthor(id, attributeParts(parts, side === 'developer' ? 'harness' : undefined), time);
}

const isPrompt = (step: Step): boolean =>
  step.type === 'item' &&
  findSide(step.item) === 'user' &&
  readMessages(step.item, step.id, step.time).some((message) => message.origin === 'human');

/** The user took back the last turns. */
function rollBack(steps: Step[], turns: number, recorder: Recorder): void {
  let left = turns;
  const from = steps.findLastIndex((step) => isPrompt(step) && --left <= 0);
  if (turns === 0 || from < 0) return;
  const gone = steps.splice(from).flatMap((step) => {
    if (step.type !== 'item') return [];
    if (findSide(step.item) !== 'model') return readMessages(step.item, step.id, step.time);
    return [{ id: step.id, role: 'assistant', origin: 'model', parts: readItem(step.item) } as const];
  });
  recorder.branch({ type: 'abandoned', messages: gone });
  recorder.note(`${turns} turn(s) were taken back and are not part of the conversation`);
}

function recordCompaction(recorder: Recorder, { id, time, payload }: Extract<Step, { type: 'compacted' }>): void {
  const words = asWord(payload.message);
  if (payload.replacement_history === undefined) {
    const summary: Message = {
      id,
      role: 'user',
      origin: 'palimpsest',
      parts: [{ type: 'text', text: words ?? '' }],
      ...omitUndefined({ at: time }),
    };
    const view = [...selectSurvivors(recorder.view()), summary];
    recorder.compact({ type: 'summary', summaryId: id, ...omitUndefined({ when: time, summary: words }) }, view);
    return;
  }
  const known = [...recorder.view()];
  const view = asRecords(payload.replacement_history).flatMap((item, index) =>
    findSide(item) === undefined
      ? []
      : (takeRepeated(item, known) ??
        readNewItem(item, `${id}.${index + 1}`).flatMap((one) => dropEmptyParts(one) ?? [])),
  );
  const summary = view.find((message) => message.origin === 'palimpsest');
  const unread = words === undefined ? findUnread(summary) : undefined;
  recorder.compact(
    { type: 'snapshot', ...omitUndefined({ when: time, summary: words, summaryId: summary?.id, unread }) },
    view,
  );
}

/** Without words of its own a history was made by the provider, which leaves its summary in it as an item that nobody reads. */
function findUnread(summary: Message | undefined): 'encrypted' | 'unrecorded' | undefined {
  if (summary === undefined) return 'unrecorded';
  return summary.parts.every(({ type }) => type === 'native') ? 'encrypted' : undefined;
}

/** What a new history repeats from the old one keeps its id. */
function takeRepeated(item: Fields, known: Message[]): readonly Message[] | undefined {
  const wanted = readNewItem(item, '');
  const from = known.findIndex((_, start) =>
    wanted.every(
      ({ origin, parts }, i) => known[start + i]?.origin === origin && isSameJson(known[start + i]?.parts, parts),
    ),
  );
  return wanted.length === 0 || from < 0 ? undefined : known.splice(from, wanted.length);
}

function readNewItem(item: Fields, id: string): readonly Message[] {
  const own = asWord(item.id) ?? id;
  if (findSide(item) !== 'model') return readMessages(item, own, undefined);
  return [{ id: own, role: 'assistant', origin: 'model', parts: readItem(item) }];
}

/** What an old Codex kept besides its summary: the context it injects, and the user's newest words. */
function selectSurvivors(view: readonly Message[]): readonly Message[] {
  let room = SURVIVING_CHARS;
  const context = view.findIndex((message) => message.origin !== 'harness');
  const words = view.filter((message) => message.origin === 'human');
  const kept = words.toReversed().filter((message) => {
    room -= JSON.stringify(message.parts).length;
    return room > 0;
  });
  return [...view.slice(0, Math.max(0, context)), ...kept.toReversed()];
}

export const codex: Reader = {
  format: 'codex',
  looksFor: 'lines with "type" (session_meta, response_item, event_msg, …) and "payload"',
  lines: {
    recognizes: (records) =>
      records.some((record) => RECORD_TYPES.has(asString(record.type) ?? '') && isFields(record.payload)) ||
      (records[0]?.instructions !== undefined && records.slice(1).some((record) => findSide(record) !== undefined)),
    read,
  },
};
