import { DEFAULT_PRICES, DEFAULT_TTL_MS } from '@palimpsest/core';
import type { RecordedUsage, SessionRecord } from '@palimpsest/formats';

/** A call for which the provider's cache served far less than for the one before, though nothing was compacted. */
export interface CacheBreak {
  /** Index of the response in the recording's messages. */
  readonly at: number;
  readonly readBefore: number;
  readonly read: number;
  /** `pause`: the cache had expired. `unknown`: something near the start of the request changed. */
  readonly cause: 'pause' | 'unknown';
  readonly pauseMs?: number;
  /** What writing it anew cost over reading it, at the default prices. */
  readonly money: number;
}

/** Caches serve whole blocks, so reads waver; a drop is a break from here on. */
const LEAST_TOKENS = 2_000;
const LEAST_SHARE = 0.05;

const MILLION = 1_000_000;

export function cacheBreaksOf(record: SessionRecord): readonly CacheBreak[] {
  const reports = record.usage.filter(({ usage }) => usage.cacheRead !== undefined);
  return reports.flatMap((report, i) => {
    const before = reports[i - 1];
    if (before === undefined) return [];
    const readBefore = before.usage.cacheRead!;
    const read = report.usage.cacheRead!;
    if (readBefore - read <= Math.max(LEAST_TOKENS, readBefore * LEAST_SHARE)) return [];
    if (record.compactions.some(({ at }) => before.after < at && at <= report.after)) return [];
    const pauseMs = pauseBetween(record, before, report);
    const wasThere = readBefore + (before.usage.cacheWrite ?? 0);
    const perToken = (DEFAULT_PRICES.cacheWrite - DEFAULT_PRICES.cacheRead) / MILLION;
    return [
      {
        at: report.after,
        readBefore,
        read,
        cause: pauseMs !== undefined && pauseMs > DEFAULT_TTL_MS ? 'pause' : 'unknown',
        ...(pauseMs === undefined ? {} : { pauseMs }),
        money: (wasThere - read) * perToken,
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
