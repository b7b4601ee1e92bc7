import type { Usage } from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';
import type { RecordedUsage, SessionRecord } from '../recording/recording.ts';

/** What was reported for each message, by its index. */
export const indexUsage = (session: SessionRecord): ReadonlyMap<number, RecordedUsage> =>
  new Map(session.usage.map((one) => [one.after, one]));

export const fillCounts = ({
  input = 0,
  output = 0,
  cacheRead = 0,
  cacheWrite = 0,
}: Usage): Required<Omit<Usage, 'cacheWriteHour' | 'cleared' | 'compaction'>> => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

/** The report itself, where four plain counts do not say it all. */
export function findReportRemainder(one: RecordedUsage | undefined): {
  readonly reported?: Omit<RecordedUsage, 'after'>;
} {
  if (one === undefined) return {};
  const { after: _, ...reported } = one;
  return isSameJson(reported, { usage: fillCounts(one.usage) }) ? {} : { reported };
}
