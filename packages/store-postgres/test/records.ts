import type { JournalRecord } from '@palimpsest/core';
import { numberedRecord } from '@palimpsest/testing/children/numbered-record';

/** Small records by their place. */
export const smallRecords = (from: number, count: number): readonly JournalRecord[] =>
  Array.from({ length: count }, (_, i) => numberedRecord(from + i, 40));
