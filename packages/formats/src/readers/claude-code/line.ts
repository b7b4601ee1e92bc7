import { type Origin, text, type Usage } from '@palimpsest/core';
import { partsFromBlocks } from '../../content/anthropic-blocks.ts';
import { type Tagged, tagUser } from '../../content/authored-part.ts';
import { at, type Fields, fieldsOf, given, listOf, numberOf, stringOf, timeOf, wordOf } from '../../fields.ts';
import { type Carried, carriedIn } from '../../recording/remainder.ts';
import { attachmentParts } from './attachment.ts';

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
  readonly tagged: readonly Tagged[];
  /** Lines of one response share it. */
  readonly responseId?: string;
  readonly usage?: Usage;
  readonly model?: string;
  readonly carried?: Carried;
  /** On boundaries: `compactMetadata` or `microcompactMetadata`. */
  readonly details?: Fields;
}

export function usageFrom(value: unknown): Usage | undefined {
  const usage = fieldsOf(value);
  if (usage === undefined) return undefined;
  return given({
    input: numberOf(usage.input_tokens),
    output: numberOf(usage.output_tokens),
    cacheRead: numberOf(usage.cache_read_input_tokens),
    cacheWrite: numberOf(usage.cache_creation_input_tokens),
  });
}

/** Who is behind a user line that is no summary; undefined: ask each part. */
function userLineOrigin(record: Fields): Origin | undefined {
  const kind = stringOf(at(record.origin, 'kind'));
  if (kind !== undefined) return kind === 'human' ? 'human' : 'harness';
  return record.isMeta === true ? 'harness' : undefined;
}

function userTagged(record: Fields): readonly Tagged[] {
  const origin = userLineOrigin(record);
  return tagUser(partsFromBlocks(at(record.message, 'content'))).map((tagged) =>
    tagged.origin === 'tool' || origin === undefined ? tagged : { ...tagged, origin },
  );
}

function said(record: Fields): Pick<Line, 'kind' | 'tagged' | 'details'> & { readonly details?: Fields } {
  const none = { kind: 'none', tagged: [] } as const;
  switch (record.type) {
    case 'user':
      if (record.isCompactSummary === true) return { kind: 'summary', tagged: userTagged(record) };
      return { kind: 'user', tagged: userTagged(record) };
    case 'assistant':
      // The host's own error messages are kept from the model.
      if (record.isApiErrorMessage === true) return none;
      return {
        kind: 'assistant',
        tagged: partsFromBlocks(at(record.message, 'content')).map((part) => ({ part, origin: 'model' as const })),
      };
    case 'attachment': {
      const tagged = attachmentParts(fieldsOf(record.attachment) ?? {});
      return tagged.length === 0 ? none : { kind: 'aside', tagged };
    }
    case 'system': {
      if (record.subtype === 'compact_boundary')
        return { kind: 'boundary', tagged: [], details: fieldsOf(record.compactMetadata) ?? {} };
      if (record.subtype === 'microcompact_boundary')
        return { kind: 'clear', tagged: [], details: fieldsOf(record.microcompactMetadata) ?? {} };
      if (record.subtype !== 'local_command') return none;
      return { kind: 'aside', tagged: [{ part: text(stringOf(record.content) ?? ''), origin: 'harness' }] };
    }
    default:
      return none;
  }
}

/** Undefined for lines that are no link of the conversation (titles, modes, file snapshots). */
export function lineFrom(record: Fields, index: number): Line | undefined {
  const uuid = wordOf(record.uuid);
  if (uuid === undefined) return undefined;
  const { kind, tagged, details } = said(record);
  const message = fieldsOf(record.message);
  const model = kind === 'assistant' ? wordOf(message?.model) : undefined;
  return {
    index,
    kind,
    uuid,
    tagged,
    ...given({
      parent: wordOf(record.parentUuid),
      sidechain: record.isSidechain === true ? (wordOf(record.agentId) ?? 'sidechain') : undefined,
      time: timeOf(record.timestamp),
      responseId: kind === 'assistant' ? (wordOf(message?.id) ?? uuid) : undefined,
      usage: kind === 'assistant' && model !== '<synthetic>' ? usageFrom(message?.usage) : undefined,
      model: model === '<synthetic>' ? undefined : model,
      carried: carriedIn(record),
      details,
    }),
  };
}

export const holdsResults = (line: Line): boolean => line.tagged.some(({ part }) => part.type === 'result');

export const uuidsIn = (value: unknown): readonly string[] => listOf(value).flatMap((uuid) => wordOf(uuid) ?? []);
