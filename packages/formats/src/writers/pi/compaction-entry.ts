import type { Message } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import { omitUndefined } from '../../fields.ts';
import type { CompactionRemainder } from '../../readers/pi/pi.ts';
import { type AboutCompaction, findAboutRemainder } from '../../recording/compaction.ts';
import type { RecordedCompaction } from '../../recording/recording.ts';
import { findRemainder } from '../../recording/remainder.ts';

/** What pi shows as a summary where a compaction has none. */
const NO_SUMMARY = 'Earlier results were shortened to save space.';

/** A message that pi can show as the summary of a compaction, and its words. */
export interface ShownSummary {
  readonly message: Message;
  readonly words: string;
}

/** The first message of the new view, where it is a user's single text that the transcript does not hold. */
export function findSummary(after: readonly Message[], said: readonly Message[]): ShownSummary | undefined {
  const message = after[0];
  const [only, more] = message?.parts ?? [];
  if (message?.role !== 'user' || more !== undefined || only?.type !== 'text') return undefined;
  return said.some(({ id }) => id === message.id) ? undefined : { message, words: only.text };
}

/** pi's entry for a compaction, but for its parent. `firstKept` is its own id where it kept nothing. */
export function compactionEntry(
  compaction: RecordedCompaction,
  shown: ShownSummary | undefined,
  { id, timestamp, firstKept }: { readonly id: string; readonly timestamp: string; readonly firstKept: string },
): Fields & { readonly id: string } {
  const summary = shown?.words ?? NO_SUMMARY;
  const when = Date.parse(timestamp);
  const { tokensBefore = 0 } = compaction;
  const plain: AboutCompaction = {
    type: 'summary',
    cleared: [],
    when,
    tokensBefore,
    ...(shown === undefined ? {} : { summary, summaryId: shown.message.id }),
  };
  const read: Message = {
    id,
    role: 'user',
    origin: 'palimpsest',
    parts: [{ type: 'text', text: summary }],
    at: when,
  };
  const remainder: CompactionRemainder = {
    ...(shown === undefined ? { bare: true } : { summary: findRemainder(read, shown.message, [0]) }),
    ...omitUndefined({ change: findAboutRemainder(plain, compaction) }),
  };
  return {
    type: 'compaction',
    id,
    timestamp,
    summary,
    firstKeptEntryId: firstKept,
    tokensBefore,
    details: { readFiles: [], modifiedFiles: [] },
    palimpsest: remainder,
  };
}
