import { type Origin, text, type Usage } from '@palimpsest/core';
import { asFields, asList, asNumber, asString, type Fields } from '@palimpsest/core/json';
import { readBlocks } from '../../content/anthropic-blocks.ts';
import { type AuthoredPart, attributeParts } from '../../content/authored-part.ts';
import { asFieldsOrNone, asWord, getField, omitUndefined, readTime } from '../../fields.ts';
import { type Remainder, readRemainder } from '../../recording/remainder.ts';
import { readAttachment } from './attachment.ts';

/** What a line of a Claude Code session is to the conversation; `aside` is what the host adds to a user's words. */
export type LineKind = 'user' | 'aside' | 'assistant' | 'summary' | 'boundary' | 'clear' | 'none';

export interface Line {
  /** Place in the file, from 0. */
  readonly index: number;
  readonly kind: LineKind;
  readonly uuid: string;
  readonly parent?: string;
  readonly sidechain?: string;
  readonly time?: number;
  readonly authored: readonly AuthoredPart[];
  /** Lines of one response share it. */
  readonly responseId?: string;
  readonly usage?: Usage;
  readonly model?: string;
  /** The response's id and the request's. */
  readonly request?: string;
  readonly remainder?: Remainder;
  /** On boundaries: `compactMetadata` or `microcompactMetadata`. */
  readonly details?: Fields;
}

export function readUsage(value: unknown): Usage | undefined {
  const usage = asFieldsOrNone(value);
  if (usage === undefined) return undefined;
  return omitUndefined({
    input: asNumber(usage.input_tokens),
    output: asNumber(usage.output_tokens),
    cacheRead: asNumber(usage.cache_read_input_tokens),
    cacheWrite: asNumber(usage.cache_creation_input_tokens),
    cacheWriteHour: asNumber(getField(usage, 'cache_creation', 'ephemeral_1h_input_tokens')) || undefined,
  });
}

/** Who is behind a user line that is no summary; undefined: ask each part. */
function findLineOrigin(record: Fields): Origin | undefined {
  const kind = asString(getField(record.origin, 'kind'));
  if (kind !== undefined) return kind === 'human' ? 'human' : 'harness';
  return record.isMeta === true ? 'harness' : undefined;
}

function readUserParts(record: Fields): readonly AuthoredPart[] {
  const origin = findLineOrigin(record);
  return attributeParts(readBlocks(getField(record.message, 'content'))).map((authored) =>
    authored.origin === 'tool' || origin === undefined ? authored : { ...authored, origin },
  );
}

function classifyRecord(record: Fields): Pick<Line, 'kind' | 'authored' | 'details'> & { readonly details?: Fields } {
  const none = { kind: 'none', authored: [] } as const;
  switch (record.type) {
    case 'user':
      if (record.isCompactSummary === true) return { kind: 'summary', authored: readUserParts(record) };
      return { kind: 'user', authored: readUserParts(record) };
    case 'assistant':
      // The host's own error messages are kept from the model.
      if (record.isApiErrorMessage === true) return none;
      return {
        kind: 'assistant',
        authored: readBlocks(getField(record.message, 'content')).map((part) => ({ part, origin: 'model' as const })),
      };
    case 'attachment': {
      const authored = readAttachment(asFields(record.attachment));
      return authored.length === 0 ? none : { kind: 'aside', authored: authored };
    }
    case 'system': {
      if (record.subtype === 'compact_boundary')
        return { kind: 'boundary', authored: [], details: asFields(record.compactMetadata) };
      if (record.subtype === 'microcompact_boundary')
        return { kind: 'clear', authored: [], details: asFields(record.microcompactMetadata) };
      if (record.subtype !== 'local_command') return none;
      return { kind: 'aside', authored: [{ part: text(asString(record.content) ?? ''), origin: 'harness' }] };
    }
    default:
      return none;
  }
}

/** Undefined for lines that are no link of the conversation (titles, modes, file snapshots). */
export function readLine(record: Fields, index: number): Line | undefined {
  const uuid = asWord(record.uuid);
  if (uuid === undefined) return undefined;
  const { kind, authored, details } = classifyRecord(record);
  const message = asFieldsOrNone(record.message);
  const requestId = kind === 'assistant' ? asWord(record.requestId) : undefined;
  const model = kind === 'assistant' ? asWord(message?.model) : undefined;
  return {
    index,
    kind,
    uuid,
    authored: authored,
    ...omitUndefined({
      parent: asWord(record.parentUuid),
      sidechain: record.isSidechain === true ? (asWord(record.agentId) ?? 'sidechain') : undefined,
      time: readTime(record.timestamp),
      responseId: kind === 'assistant' ? (asWord(message?.id) ?? uuid) : undefined,
      usage: kind === 'assistant' && model !== '<synthetic>' ? readUsage(message?.usage) : undefined,
      model: model === '<synthetic>' ? undefined : model,
      request: requestId === undefined ? undefined : `${asWord(message?.id)} ${requestId}`,
      remainder: readRemainder(record),
      details,
    }),
  };
}

export const hasResults = (line: Line): boolean => line.authored.some(({ part }) => part.type === 'result');

export const readUuids = (value: unknown): readonly string[] => asList(value).flatMap((uuid) => asWord(uuid) ?? []);
