import type { Message } from '@palimpsest/core';
import { type Fields, isSameJson } from '@palimpsest/core/json';
import { omitUndefined } from '../../fields.ts';
import { clearResults } from '../../recording/clear-results.ts';
import { type AboutCompaction, findAboutRemainder } from '../../recording/compaction.ts';
import type { RecordedCompaction } from '../../recording/recording.ts';
import { countKeptHead, countKeptTail } from '../count-kept.ts';
import type { Turnover } from '../retell-session.ts';
import type { WrittenLine } from './lines.ts';

/** Whether nothing happened but that results were blanked, in the way our reader blanks them. */
export const isMereClearing = ({ compaction, before, after }: Turnover): boolean =>
  compaction.type === 'clear' && isSameJson(clearResults(before, new Set(compaction.cleared)), after);

const isText = (message: Message): boolean => message.parts.every((part) => part.type === 'text');

/** The messages that have to be written behind the boundary, the summary's place among them, and the kept ones. */
export function splitTurnover({ compaction, before, after, said }: Turnover): {
  readonly put: readonly Message[];
  readonly summaryAt: number;
  readonly kept: readonly Message[];
  /** The kept ones stand before what is put in: they hang on the boundary itself. */
  readonly inFront: boolean;
} {
  const count = countKeptTail(after, said, before);
  const head = count > 0 || compaction.type !== 'summary' ? 0 : countKeptHead(after, said, before);
  const put = after.slice(head, after.length - count);
  const summaryAt = put.findIndex(
    (message) =>
      message.role === 'user' &&
      isText(message) &&
      (message.id === compaction.summaryId || message.origin === 'palimpsest'),
  );
  const kept = head > 0 ? said.slice(0, head) : said.slice(said.length - count);
  return { put, summaryAt, kept, inFront: head > 0 };
}

export function clearingRecord({ compaction }: Turnover, uuid: string, timestamp: string): Fields {
  const { trigger = 'auto', tokensBefore = 0, cleared } = compaction;
  const plain: AboutCompaction = { type: 'clear', trigger, tokensBefore, cleared, when: Date.parse(timestamp) };
  return {
    type: 'system',
    subtype: 'microcompact_boundary',
    content: 'Old results cleared',
    isMeta: false,
    level: 'info',
    uuid,
    timestamp,
    microcompactMetadata: {
      trigger,
      preTokens: tokensBefore,
      compactedToolIds: cleared,
      clearedAttachmentUUIDs: [],
      ...omitUndefined({ palimpsest: findAboutRemainder(plain, compaction) }),
    },
  };
}

export function boundaryRecord(
  compaction: RecordedCompaction,
  uuid: string,
  timestamp: string,
  summary: Message | undefined,
  inserted: readonly (readonly WrittenLine[])[],
  kept: readonly (readonly string[])[],
): Fields {
  const { trigger = 'manual', tokensBefore = 0, tokensAfter } = compaction;
  const words = summary?.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  const plain: AboutCompaction = {
    type: 'summary',
    cleared: [],
    trigger,
    tokensBefore,
    when: Date.parse(timestamp),
    ...omitUndefined({ tokensAfter, summary: words, summaryId: summary?.id }),
  };
  const all = kept.flat();
  // The kept messages are shown right after their anchor.
  const anchorUuid = inserted.at(-1)?.at(-1)?.uuid ?? uuid;
  const preserved = {
    preservedSegment: { headUuid: all[0], anchorUuid, tailUuid: all.at(-1) },
    preservedMessages: { anchorUuid, uuids: kept.map(([head]) => head), allUuids: all },
  };
  return {
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    isMeta: false,
    level: 'info',
    uuid,
    timestamp,
    compactMetadata: {
      trigger,
      preTokens: tokensBefore,
      ...omitUndefined({ postTokens: tokensAfter }),
      ...(all.length === 0 ? {} : preserved),
      ...omitUndefined({ palimpsest: findAboutRemainder(plain, compaction) }),
    },
  };
}
