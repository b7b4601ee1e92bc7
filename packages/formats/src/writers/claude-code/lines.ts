import type { Message, Part } from '@palimpsest/core';
import { type Fields, isSameJson } from '@palimpsest/core/json';
import { apiCallId, isFromAnthropic, writeBlock } from '../../content/anthropic-blocks.ts';
import { omitUndefined } from '../../fields.ts';
import { readLine } from '../../readers/claude-code/line.ts';
import { readMessages } from '../../readers/claude-code/utterance.ts';
import { dropEmptyParts } from '../../recording/recorder.ts';
import { findRemainder, type Remainder } from '../../recording/remainder.ts';
import { isUuid, makeUuid } from '../stable-id.ts';
import { isoTime } from '../timestamp.ts';

/** The lines of one message, before they get their place in the chain. */
export interface WrittenLine {
  readonly record: Fields;
  readonly uuid: string;
  /** The call that a result line answers. */
  readonly answers?: string;
  /** The calls on the line. */
  readonly calls: readonly string[];
}

export interface LineOptions {
  readonly sessionId: string;
  readonly model: string;
  /** For messages that have no time of their own. */
  readonly fallbackTime: number;
  readonly usage?: Fields;
  readonly remainder?: Remainder;
  /** An inserted message gets lines of its own, whatever its id. */
  readonly salt?: string;
  readonly isSummary?: boolean;
}

/** The API takes thinking only with a signature of its own, and no blank text. Such parts are kept beside the line. */
function isSendable(part: Part, model: string): boolean {
  if (part.type === 'text') return part.text.trim() !== '';
  return part.type !== 'reasoning' || (part.signature !== undefined && isFromAnthropic(part, model));
}

/** Which parts stand on which line: a response one block a line, results one a line, all else together. */
function layOutParts(message: Message, model: string): readonly (readonly number[])[] {
  const places = message.parts.flatMap((part, index) => (isSendable(part, model) ? index : []));
  if (message.role === 'assistant') return places.map((i) => [i]);
  const isResult = (i: number): boolean => message.parts[i]!.type === 'result';
  const rest = places.filter((i) => !isResult(i));
  return [...places.filter(isResult).map((i) => [i]), ...(rest.length > 0 ? [rest] : [])];
}

function makeContent(message: Message, places: readonly number[]): unknown {
  const blocks = places.map((place) => writeBlock(message.parts[place]!));
  if (blocks.length === 0) return [{ type: 'text', text: '[no content]' }];
  const [only, more] = blocks;
  return message.role === 'user' && only?.type === 'text' && more === undefined ? only.text : blocks;
}

function makeRecord(message: Message, places: readonly number[], uuid: string, options: LineOptions): Fields {
  const content = makeContent(message, places);
  const timestamp = isoTime(message.at, options.fallbackTime);
  if (message.role === 'assistant') {
    const calls = message.parts.some((part) => part.type === 'call');
    return {
      type: 'assistant',
      message: {
        id: `msg_${makeUuid(`response/${options.sessionId}/${options.salt ?? ''}/${message.id}`).replaceAll('-', '')}`,
        type: 'message',
        role: 'assistant',
        model: options.model,
        content,
        stop_reason: calls ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        ...omitUndefined({ usage: options.usage }),
      },
      uuid,
      timestamp,
    };
  }
  const marks =
    options.isSummary === true ? { isVisibleInTranscriptOnly: true, isCompactSummary: true } : originMarks(message);
  return { type: 'user', message: { role: 'user', content }, ...marks, uuid, timestamp };
}

const originMarks = (message: Message): Fields =>
  message.origin === 'human'
    ? { origin: { kind: 'human' } }
    : message.origin === 'harness' || message.origin === 'palimpsest'
      ? { isMeta: true }
      : {};

/** The message's lines, with beside the first whatever they cannot say. */
export function makeLines(message: Message, options: LineOptions): readonly WrittenLine[] {
  const layout = layOutParts(message, options.model);
  const groups = layout.length > 0 ? layout : [[]];
  const records = groups.map((places, index) => {
    const own = index === 0 && options.salt === undefined && isUuid(message.id);
    const uuid = own ? message.id : makeUuid(`line/${options.sessionId}/${options.salt ?? ''}/${message.id}/${index}`);
    return makeRecord(message, places, uuid, options);
  });
  const remainder = findLineRemainder(message, records, layout.flat(), options);
  return records.map((record, index) => {
    const parts = (groups[index] ?? []).map((place) => message.parts[place]!);
    const answers = parts[0]?.type === 'result' ? apiCallId(parts[0].callId) : undefined;
    return {
      record: index === 0 && remainder !== undefined ? { ...record, palimpsest: remainder } : record,
      uuid: String(record.uuid),
      calls: parts.flatMap((part) => (part.type === 'call' ? apiCallId(part.callId) : [])),
      ...omitUndefined({ answers }),
    };
  });
}

function findLineRemainder(
  message: Message,
  records: readonly Fields[],
  from: readonly number[],
  options: LineOptions,
): Remainder | undefined {
  const lines = records.flatMap((record, index) => readLine(record, index) ?? []);
  const isJoined = message.role === 'user' && lines.length > 1;
  const [first] = lines;
  if (first === undefined) return options.remainder;
  const read = readMessages({ first, lines });
  // A message that the reader would tidy up has to be marked as ours, so that it stays as it is.
  const isPlain = !isJoined && read.length === 1 && isSameJson(read[0], message) && dropEmptyParts(message) === message;
  if (isPlain && options.remainder === undefined) return undefined;
  const plain: Message = {
    id: first.uuid,
    role: message.role,
    origin:
      message.role === 'assistant'
        ? 'model'
        : first.kind === 'summary'
          ? 'palimpsest'
          : (first.authored[0]?.origin ?? 'harness'),
    parts: lines.flatMap((line) => line.authored.map(({ part }) => part)),
    ...omitUndefined({ at: first.time }),
  };
  return {
    ...findRemainder(plain, message, from),
    ...(isJoined ? { lines: lines.length } : {}),
    ...options.remainder,
  };
}
