import type { UsageRow } from './usage-row.ts';

/** Where what requests used is written down. */
export interface UsageSink {
  /** Writes some rows, or fails: then the same come again later, and others with them. One that is written already is left as it is. */
  write(rows: readonly UsageRow[]): Promise<unknown>;
  /** Called when writing begins to fail, with `lost` 0, and when it is over with how many were lost meanwhile, if any were. */
  readonly onTrouble?: (trouble: { readonly why: string; readonly lost: number }) => void;
}

/** Hands rows over in batches. No request waits for it, and what cannot be written takes no more than a bounded room. */
export interface UsageLog {
  note(row: UsageRow): void;
  /** How many rows are not written yet. */
  countWaiting(): number;
  /** Writes what waits, once. */
  close(): Promise<void>;
}

const FLUSH_MS = 1_000;
const MOST_PAUSE_MS = 30_000;
const BATCH = 500;
/** About 5 MB. At ten requests a second the sink may be away for a quarter of an hour. */
const MOST_WAITING = 10_000;

/** `onLost` hears at once of rows that are given up. */
export function createUsageLog({ write, onTrouble }: UsageSink, onLost: (rows: number) => void): UsageLog {
  const waiting: UsageRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let pauseMs = FLUSH_MS;
  let why: string | undefined;
  let lost = 0;

  const lose = (rows: number): void => {
    lost += rows;
    if (rows > 0) onLost(rows);
  };
  const endTrouble = (): void => {
    if (lost > 0) onTrouble?.({ why: why ?? 'it takes too long', lost });
    [why, lost, pauseMs] = [undefined, 0, FLUSH_MS];
  };

  const writeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      try {
        await write(batch);
      } catch (error) {
        if (why !== undefined) pauseMs = Math.min(2 * pauseMs, MOST_PAUSE_MS);
        else onTrouble?.({ why: error instanceof Error ? error.message : String(error), lost: 0 });
        why = error instanceof Error ? error.message : String(error);
        return;
      }
      waiting.splice(0, batch.length);
      endTrouble();
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeWaiting().finally(() => {
      writing = undefined;
      if (waiting.length > 0) schedule();
    });
    return writing;
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => void flush(), pauseMs).unref();
  };

  return {
    note(row) {
      if (waiting.length >= MOST_WAITING) return lose(1);
      waiting.push(row);
      if (writing === undefined) schedule();
    },
    countWaiting: () => waiting.length,
    async close() {
      await flush();
      clearTimeout(timer);
      lose(waiting.splice(0).length);
      endTrouble();
    },
  };
}
