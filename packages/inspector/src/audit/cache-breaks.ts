import type { Prices } from '@palimpsest/core';
import type { RecordedUsage, SessionRecord } from '@palimpsest/formats';
import { cacheBreak } from '@palimpsest/wire';

/** A call for which the provider's cache served far less than the one before had left there, though nothing was compacted. */
export interface CacheBreak {
  /** Index of the response in the recording's messages. */
  readonly at: number;
  readonly readBefore: number;
  readonly read: number;
  /** `pause`: the cache had expired. `unknown`: something near the start of the request changed. */
  readonly cause: 'pause' | 'unknown';
  readonly pauseMs?: number;
  /** What writing it again cost over reading it, in dollars, where the model's price is known. */
  readonly money?: number;
}

const MILLION = 1_000_000;

/** The breaks in a recording, which holds what providers reported and not what they were sent. */
export function cacheBreaksOf(record: SessionRecord, prices: Prices | undefined): readonly CacheBreak[] {
  const reports = record.usage.filter(({ usage }) => usage.cacheRead !== undefined);
  return reports.flatMap((report, i) => {
    const before = reports[i - 1];
    if (before === undefined) return [];
    const pauseMs = pauseBetween(record, before, report);
    const found = cacheBreak(
      { ...before.usage, at: 0 },
      {
        ...report.usage,
        at: pauseMs,
        compacted: record.compactions.some(({ at }) => before.after < at && at <= report.after),
      },
    );
    if (found === undefined) return [];
    return [
      {
        at: report.after,
        readBefore: before.usage.cacheRead ?? 0,
        read: report.usage.cacheRead ?? 0,
        cause: found.type === 'ttl' ? 'pause' : 'unknown',
        ...(pauseMs === undefined ? {} : { pauseMs }),
        ...(prices === undefined ? {} : { money: (found.lost * (prices.cacheWrite - prices.cacheRead)) / MILLION }),
      },
    ];
  });
}

/** From the one answer to the request for the next. */
function pauseBetween({ messages }: SessionRecord, before: RecordedUsage, report: RecordedUsage): number | undefined {
  const from = messages[before.after]?.at;
  const to = messages[report.after - 1]?.at ?? messages[report.after]?.at;
  return from === undefined || to === undefined ? undefined : Math.max(0, to - from);
}
