import { type Message, type Part, text, type Usage } from '@palimpsest/core';
import { type Tagged, userMessages } from '../content/authored-part.ts';
import { signed } from '../content/signature.ts';
import { at, type Fields, fieldsOf, given, jsonOf, numberOf, recordsOf, stringOf, timeOf, wordOf } from '../fields.ts';
import { type About, type Draft, newDraft } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';
import { jsonLines } from './json-lines.ts';
import type { Reader } from './reader.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: Fields;
  readonly time: number | undefined;
}

function read(source: string | Uint8Array): Recording {
  const draft = newDraft('copilot');
  const about: About = {};
  const events = rewound(eventsIn(source, draft), draft);
  const agents: Message[] = [];
  let answer: number | undefined;
  let compactingFrom = 0;
  for (const event of events) {
    const { type, data } = event;
    about.model =
      wordOf(data.newModel) ?? (type === 'assistant.message' ? wordOf(data.model) : undefined) ?? about.model;
    if (type === 'session.start' || type === 'session.resume') {
      about.id ??= wordOf(data.sessionId);
      about.version = wordOf(data.copilotVersion) ?? about.version;
      about.cwd ??= wordOf(at(data.context, 'cwd'));
    } else if (type === 'system.message') about.system = wordOf(data.content) ?? about.system;
    else if (type === 'assistant.usage') draft.report(answer, usageFrom(data));
    else if (type === 'session.compaction_start') compactingFrom = draft.messages.length;
    else if (type === 'session.compaction_complete') compact(draft, event, compactingFrom);
    else if (wordOf(data.parentToolCallId) !== undefined) agents.push(...messagesOf(event));
    else
      for (const message of messagesOf(event)) {
        const place = draft.say(message);
        if (message.role !== 'assistant') continue;
        answer = place ?? answer;
        draft.report(place, given({ output: numberOf(data.outputTokens) }));
      }
  }
  draft.branch({ type: 'sidechain', messages: agents });
  return draft.finish(about);
}

function eventsIn(source: string | Uint8Array, draft: Draft): readonly Event[] {
  const events: Event[] = [];
  for (const { line, record } of jsonLines(source, draft.note)) {
    const type = stringOf(record.type) ?? '';
    // Hooks repeat tools' inputs and outputs; no model sees them.
    if (type.startsWith('hook.')) continue;
    events.push({
      id: wordOf(record.id) ?? `line-${line}`,
      type,
      data: fieldsOf(record.data) ?? {},
      time: timeOf(record.timestamp),
    });
  }
  return events;
}

/** Without what the user took back. */
function rewound(events: readonly Event[], draft: Draft): readonly Event[] {
  const live: Event[] = [];
  for (const event of events) {
    const upTo = event.type === 'session.snapshot_rewind' ? wordOf(event.data.upToEventId) : undefined;
    const from = upTo === undefined ? -1 : live.findIndex((one) => one.id === upTo);
    if (from < 0) {
      live.push(event);
      continue;
    }
    const messages = live.splice(from).flatMap(messagesOf);
    draft.branch({ type: 'abandoned', messages });
    draft.note(`${messages.length} message(s) were taken back and are not part of the conversation`);
  }
  return live;
}

function messagesOf(event: Event): readonly Message[] {
  const { id, data, time, type } = event;
  if (type === 'user.message') return userMessages(id, userTagged(data), time);
  if (type === 'assistant.message')
    return [{ id, role: 'assistant', origin: 'model', parts: spokenParts(data), ...given({ at: time }) }];
  if (type !== 'tool.execution_complete') return [];
  const words = wordOf(at(data.result, 'content')) ?? wordOf(at(data.error, 'message'));
  const part: Part = {
    type: 'result',
    callId: stringOf(data.toolCallId) ?? '',
    content: words === undefined ? [] : [text(words)],
    ...(data.success === false ? { isError: true } : {}),
  };
  return [{ id, role: 'user', origin: 'tool', parts: [part], ...given({ at: time }) }];
}

/** The model gets the typed words with context put around them; a skill's text comes as a message of its own. */
function userTagged(data: Fields): readonly Tagged[] {
  const typed = stringOf(data.content) ?? '';
  if (wordOf(data.source) !== undefined && data.source !== 'user') return [{ part: text(typed), origin: 'harness' }];
  const sent = stringOf(data.transformedContent) ?? typed;
  const from = sent.indexOf(typed);
  if (typed === '' || from < 0) return [{ part: text(typed || sent), origin: 'human' }];
  const [before, after] = [sent.slice(0, from).trim(), sent.slice(from + typed.length).trim()];
  const around = (words: string): readonly Tagged[] => (words === '' ? [] : [{ part: text(words), origin: 'harness' }]);
  return [...around(before), { part: text(typed), origin: 'human' }, ...around(after)];
}

function spokenParts(data: Fields): readonly Part[] {
  const signature = wordOf(data.reasoningOpaque) ?? wordOf(data.encryptedContent);
  const calls = recordsOf(data.toolRequests).map(
    (request): Part => ({
      type: 'call',
      callId: stringOf(request.toolCallId) ?? '',
      tool: stringOf(request.name) ?? '',
      input: jsonOf(request.arguments ?? {}),
    }),
  );
  return [
    { type: 'reasoning', text: stringOf(data.reasoningText) ?? '', ...signed('copilot', signature) },
    text(stringOf(data.content) ?? ''),
    ...calls,
  ];
}

function usageFrom(data: Fields): Usage {
  const [input, cacheRead] = [numberOf(data.inputTokens), numberOf(data.cacheReadTokens)];
  return given({
    input: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0)),
    output: numberOf(data.outputTokens),
    cacheRead,
    cacheWrite: numberOf(data.cacheWriteTokens),
  });
}

/** Compaction runs beside the conversation: what was said since it began stays. */
function compact(draft: Draft, { id, data, time }: Event, from: number): void {
  const words = wordOf(data.summaryContent);
  if (data.success === false || words === undefined) return;
  const summary: Message = { id, role: 'user', origin: 'palimpsest', parts: [text(words)], ...given({ at: time }) };
  const since = new Set(draft.messages.slice(from).map((message) => message.id));
  draft.compact(
    {
      type: 'summary',
      summary: words,
      summaryId: id,
      ...given({
        when: time,
        trigger: wordOf(data.trigger),
        tokensBefore: numberOf(data.preCompactionTokens),
        tokensAfter: numberOf(data.postCompactionTokens),
        usage: usageFrom(fieldsOf(data.compactionTokensUsed) ?? {}),
      }),
    },
    [summary, ...draft.view().filter((message) => since.has(message.id))],
  );
}

export const copilot: Reader = {
  format: 'copilot',
  looksFor: 'lines with "type" (session.start, user.message, …), "data" and "parentId"',
  lines: {
    recognizes: (records) =>
      records.some(
        (record) =>
          /^(?:session|user|assistant|tool|system)\.[a-z_]+$/.test(stringOf(record.type) ?? '') &&
          fieldsOf(record.data) !== undefined &&
          'parentId' in record,
      ),
    read,
  },
};
