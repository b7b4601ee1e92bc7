import type { Message, Part, Usage } from '@palimpsest/core';
import { tagUser, userMessages } from '../../content/authored-part.ts';
import { at, type Fields, fieldsOf, given, numberOf, recordsOf, same, stringOf, timeOf, wordOf } from '../../fields.ts';
import { type About, type Draft, newDraft, solid } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import { jsonLines } from '../json-lines.ts';
import type { Reader } from '../reader.ts';
import { itemParts, sideOf } from './item.ts';

const RECORD_TYPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);

/** How much of the user's words an old Codex, which recorded only its summary, carried over: 20,000 tokens. */
const CARRIED_OVER_CHARS = 80_000;

type Step =
  | { readonly type: 'item'; readonly id: string; readonly time: number | undefined; readonly item: Fields }
  | { readonly type: 'usage'; readonly usage: Usage; readonly window: number | undefined }
  | { readonly type: 'compacted'; readonly id: string; readonly time: number | undefined; readonly payload: Fields };

function read(source: string | Uint8Array): Recording {
  const draft = newDraft('codex');
  const about: About = {};
  const steps = stepsOf(source, draft, about);
  let response: { readonly id: string; readonly time: number | undefined; readonly parts: Part[] } | undefined;
  let answer: number | undefined;
  // Items of one response stand on several lines and make one message.
  const endResponse = (): void => {
    if (response === undefined) return;
    const { id, time, parts } = response;
    answer = draft.say({ id, role: 'assistant', origin: 'model', parts, ...given({ at: time }) }) ?? answer;
    response = undefined;
  };
  for (const step of steps) {
    if (step.type === 'item' && sideOf(step.item) === 'model') {
      response ??= { id: step.id, time: step.time, parts: [] };
      response.parts.push(...itemParts(step.item));
      continue;
    }
    endResponse();
    if (step.type === 'item') for (const message of messagesOf(step.item, step.id, step.time)) draft.say(message);
    else if (step.type === 'usage') draft.report(answer, step.usage, step.window);
    else compact(draft, step);
  }
  endResponse();
  return draft.finish(about);
}

function stepsOf(source: string | Uint8Array, draft: Draft, about: About): readonly Step[] {
  const steps: Step[] = [];
  let total: unknown;
  for (const { line, record } of jsonLines(source, draft.note)) {
    // The first versions wrote the items bare, behind a head line.
    const payload = fieldsOf(record.payload) ?? record;
    const time = timeOf(record.timestamp);
    const id = wordOf(payload.id) ?? `line-${line}`;
    if (record.type === 'session_meta' || (line === 1 && record.payload === undefined)) {
      about.id = wordOf(payload.id);
      about.cwd = wordOf(payload.cwd);
      about.version = wordOf(payload.cli_version);
      about.system = wordOf(at(payload.base_instructions, 'text')) ?? wordOf(payload.instructions);
    } else if (record.type === 'turn_context') {
      about.cwd ??= wordOf(payload.cwd);
      about.model = wordOf(payload.model) ?? about.model;
    } else if (record.type === 'compacted') steps.push({ type: 'compacted', id: `line-${line}`, time, payload });
    else if (record.type === 'event_msg') {
      if (payload.type === 'thread_rolled_back') rollBack(steps, numberOf(payload.num_turns) ?? 0, draft);
      const usage = usageFrom(at(payload.info, 'last_token_usage'));
      const sum = at(payload.info, 'total_token_usage');
      // The same numbers are told again after a compaction and with every change of the rate limits.
      if (payload.type !== 'token_count' || usage === undefined || same(sum, total)) continue;
      total = sum;
      steps.push({ type: 'usage', usage, window: numberOf(at(payload.info, 'model_context_window')) });
    } else if (sideOf(payload) !== undefined) steps.push({ type: 'item', id, time, item: payload });
  }
  return steps;
}

function usageFrom(value: unknown): Usage | undefined {
  const usage = fieldsOf(value);
  if (usage === undefined) return undefined;
  const cacheRead = numberOf(usage.cached_input_tokens);
  const input = numberOf(usage.input_tokens);
  return given({
    // Here the provider counts cached tokens as input.
    input: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0)),
    output: numberOf(usage.output_tokens),
    cacheRead,
  });
}

/** Items that are not the model's, as messages. */
function messagesOf(item: Fields, id: string, time: number | undefined): readonly Message[] {
  const side = sideOf(item);
  const parts = itemParts(item);
  if (side === 'compaction') return [{ id, role: 'user', origin: 'palimpsest', parts, ...given({ at: time }) }];
  return userMessages(id, tagUser(parts, side === 'developer' ? 'harness' : undefined), time);
}

const isPrompt = (step: Step): boolean =>
  step.type === 'item' &&
  sideOf(step.item) === 'user' &&
  messagesOf(step.item, step.id, step.time).some((message) => message.origin === 'human');

/** The user took back the last turns. */
function rollBack(steps: Step[], turns: number, draft: Draft): void {
  let left = turns;
  const from = steps.findLastIndex((step) => isPrompt(step) && --left <= 0);
  if (turns === 0 || from < 0) return;
  const gone = steps.splice(from).flatMap((step) => {
    if (step.type !== 'item') return [];
    if (sideOf(step.item) !== 'model') return messagesOf(step.item, step.id, step.time);
    return [{ id: step.id, role: 'assistant', origin: 'model', parts: itemParts(step.item) } as const];
  });
  draft.branch({ type: 'abandoned', messages: gone });
  draft.note(`${turns} turn(s) were taken back and are not part of the conversation`);
}

function compact(draft: Draft, { id, time, payload }: Extract<Step, { type: 'compacted' }>): void {
  const words = wordOf(payload.message);
  if (payload.replacement_history === undefined) {
    const summary: Message = {
      id,
      role: 'user',
      origin: 'palimpsest',
      parts: [{ type: 'text', text: words ?? '' }],
      ...given({ at: time }),
    };
    const view = [...carriedOver(draft.view()), summary];
    draft.compact({ type: 'summary', summaryId: id, ...given({ when: time, summary: words }) }, view);
    return;
  }
  const known = [...draft.view()];
  const view = recordsOf(payload.replacement_history).flatMap((item, index) =>
    sideOf(item) === undefined
      ? []
      : (reused(item, known) ?? fresh(item, `${id}.${index + 1}`).flatMap((one) => solid(one) ?? [])),
  );
  const summary = view.find((message) => message.origin === 'palimpsest');
  draft.compact({ type: 'snapshot', ...given({ when: time, summary: words, summaryId: summary?.id }) }, view);
}

/** What a new history repeats from the old one keeps its id. */
function reused(item: Fields, known: Message[]): readonly Message[] | undefined {
  const wanted = fresh(item, '');
  const from = known.findIndex((_, start) =>
    wanted.every(({ origin, parts }, i) => known[start + i]?.origin === origin && same(known[start + i]!.parts, parts)),
  );
  return wanted.length === 0 || from < 0 ? undefined : known.splice(from, wanted.length);
}

function fresh(item: Fields, id: string): readonly Message[] {
  const own = wordOf(item.id) ?? id;
  if (sideOf(item) !== 'model') return messagesOf(item, own, undefined);
  return [{ id: own, role: 'assistant', origin: 'model', parts: itemParts(item) }];
}

/** What an old Codex kept besides its summary: the context it injects, and the user's newest words. */
function carriedOver(view: readonly Message[]): readonly Message[] {
  let room = CARRIED_OVER_CHARS;
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
      records.some(
        (record) => RECORD_TYPES.has(stringOf(record.type) ?? '') && fieldsOf(record.payload) !== undefined,
      ) ||
      (records[0]?.instructions !== undefined && records.slice(1).some((record) => sideOf(record) !== undefined)),
    read,
  },
};
