import type { RecordedCompaction, SessionRecord } from '@palimpsest/formats';

export interface Boundary {
  /** Counted from 1. Where results were only blanked, history did not give way: such a clearing has no number. */
  readonly number?: number;
  /** Among all that the recording holds, from 0. */
  readonly index: number;
  readonly compaction: RecordedCompaction;
}

/** The places where a recorded agent gave up some of its history. */
export function listBoundaries({ compactions }: SessionRecord): readonly Boundary[] {
  let number = 0;
  return compactions.map((compaction, index) =>
    compaction.type === 'clear' ? { index, compaction } : { number: ++number, index, compaction },
  );
}
