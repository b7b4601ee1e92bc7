import { type Message, type Part, text, type Usage } from '@palimpsest/core';
import { asFields, asNumber, asString, type Fields, isFields } from '@palimpsest/core/json';
import { type AuthoredPart, splitByAuthor } from '../content/authored-part.ts';
import { signatureFields } from '../content/signature.ts';
import { asJson, asRecords, asWord, getField, omitUndefined, readTime } from '../fields.ts';
import { type AboutSession, newRecorder, type Recorder } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';
import { readJsonLines } from './json-lines.ts';
import type { Reader } from './reader.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: Fields;
  readonly time: number | undefined;
}

function read(source: string | Uint8Array): Recording {
  const recorder = newRecorder('copilot');
  const about: AboutSession = {};
  const events = takeBackEvents(readEvents(source, recorder), recorder);
  const agents: Message[] = [];
  let answer: number | undefined;
  let compactingFrom = 0;
  for (const event of events) {
    const { type, data } = event;
    about.model =
      asWord(data.newModel) ?? (type === 'assistant.message' ? asWord(data.model) : undefined) ?? about.model;
    if (type === 'session.start' || type === 'session.resume') {
      about.id ??= asWord(data.sessionId);
      about.version = asWord(data.copilotVersion) ?? about.version;
      about.cwd ??= asWord(getField(data.context, 'cwd'));
    } else if (type === 'system.message') about.system = asWord(data.content) ?? about.system;
    else if (type === 'assistant.usage') recorder.report(answer, readUsage(data), { model: about.model });
    else if (type === 'session.compaction_start') compactingFrom = recorder.messages.length;
    else if (type === 'session.compaction_complete') recordCompaction(recorder, event, compactingFrom);
    else if (asWord(data.parentToolCallId) !== undefined) agents.push(...readMessages(event));
    else
      for (const message of readMessages(event)) {
        const place = recorder.say(message);
        if (message.role !== 'assistant') continue;
        answer = place ?? answer;
        recorder.report(place, omitUndefined({ output: asNumber(data.outputTokens) }), { model: about.model });
      }
  }
  recorder.branch({ type: 'sidechain', messages: agents });
  return recorder.finish(about);
}

function readEvents(source: string | Uint8Array, recorder: Recorder): readonly Event[] {
  const events: Event[] = [];
  for (const { line, record } of readJsonLines(source, recorder.note)) {
    const type = asString(record.type) ?? '';
    // Hooks repeat tools' inputs and outputs; no model sees them.
    if (type.startsWith('hook.')) continue;
    events.push({
      id: asWord(record.id) ?? `line-${line}`,
      type,
      data: asFields(record.data),
      time: readTime(record.timestamp),
    });
  }
  return events;
}

/** Without what the user took back. */
function takeBackEvents(events: readonly Event[], recorder: Recorder): readonly Event[] {
  const live: Event[] = [];
  for (const event of events) {
    const upTo = event.type === 'session.snapshot_rewind' ? asWord(event.data.upToEventId) : undefined;
    const from = upTo === undefined ? -1 : live.findIndex((one) => one.id === upTo);
    if (from < 0) {
      live.push(event);
      continue;
    }
    const messages = live.splice(from).flatMap(readMessages);
    recorder.branch({ type: 'abandoned', messages });
    recorder.note(`${messages.length} message(s) were taken back and are not part of the conversation`);
  }
  return live;
}

function readMessages(event: Event): readonly Message[] {
  const { id, data, time, type } = event;
  if (type === 'user.message') return splitByAuthor(id, readUserParts(data), time);
  if (type === 'assistant.message')
    return [{ id, role: 'assistant', origin: 'model', parts: readResponse(data), ...omitUndefined({ at: time }) }];
  if (type !== 'tool.execution_complete') return [];
  const words = asWord(getField(data.result, 'content')) ?? asWord(getField(data.error, 'message'));
  const part: Part = {
    type: 'result',
    callId: asString(data.toolCallId) ?? '',
    content: words === undefined ? [] : [text(words)],
    ...(data.success === false ? { isError: true } : {}),
  };
  return [{ id, role: 'user', origin: 'tool', parts: [part], ...omitUndefined({ at: time }) }];
}

/** The model gets the typed words with context put around them; a skill's text comes as a message of its own. */
function readUserParts(data: Fields): readonly AuthoredPart[] {
  const typed = asString(data.content) ?? '';
  if (asWord(data.source) !== undefined && data.source !== 'user') return [{ part: text(typed), origin: 'harness' }];
  const sent = asString(data.transformedContent) ?? typed;
  const from = sent.indexOf(typed);
  if (typed === '' || from < 0) return [{ part: text(typed || sent), origin: 'human' }];
  const [before, after] = [sent.slice(0, from).trim(), sent.slice(from + typed.length).trim()];
  const attributeToHost = (words: string): readonly AuthoredPart[] =>
    words === '' ? [] : [{ part: text(words), origin: 'harness' }];
  return [...attributeToHost(before), { part: text(typed), origin: 'human' }, ...attributeToHost(after)];
}

function readResponse(data: Fields): readonly Part[] {
  const signature = asWord(data.reasoningOpaque) ?? asWord(data.encryptedContent);
  const calls = asRecords(data.toolRequests).map(
    (request): Part => ({
      type: 'call',
      callId: asString(request.toolCallId) ?? '',
      tool: asString(request.name) ?? '',
      input: asJson(request.arguments ?? {}),
    }),
  );
  return [
    { type: 'reasoning', text: asString(data.reasoningText) ?? '', ...signatureFields('copilot', signature) },
    text(asString(data.content) ?? ''),
    ...calls,
  ];
}

function readUsage(data: Fields): Usage {
  const [input, cacheRead] = [asNumber(data.inputTokens), asNumber(data.cacheReadTokens)];
  return omitUndefined({
    input: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0)),
    output: asNumber(data.outputTokens),
    cacheRead,
    cacheWrite: asNumber(data.cacheWriteTokens),
  });
}

/** Compaction runs beside the conversation: what was said since it began stays. */
function recordCompaction(recorder: Recorder, { id, data, time }: Event, from: number): void {
  const words = asWord(data.summaryContent);
  if (data.success === false || words === undefined) return;
  const summary: Message = {
    id,
    role: 'user',
    origin: 'palimpsest',
    parts: [text(words)],
    ...omitUndefined({ at: time }),
  };
  const since = new Set(recorder.messages.slice(from).map((message) => message.id));
  recorder.compact(
    {
      type: 'summary',
      summary: words,
      summaryId: id,
      ...omitUndefined({
        when: time,
        trigger: asWord(data.trigger),
        tokensBefore: asNumber(data.preCompactionTokens),
        tokensAfter: asNumber(data.postCompactionTokens),
        usage: readUsage(asFields(data.compactionTokensUsed)),
      }),
    },
    [summary, ...recorder.view().filter((message) => since.has(message.id))],
  );
}

export const copilot: Reader = {
  format: 'copilot',
  looksFor: 'lines with "type" (session.start, user.message, …), "data" and "parentId"',
  lines: {
    recognizes: (records) =>
      records.some(
        (record) =>
          /^(?:session|user|assistant|tool|system)\.[a-z_]+$/.test(asString(record.type) ?? '') &&
          isFields(record.data) &&
          'parentId' in record,
      ),
    read,
  },
};
