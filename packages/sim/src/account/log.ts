import type { Problem } from '../api/problem.ts';
import type { SimUsage } from '../api/usage.ts';
import type { FaultKind } from '../faults/fault-schedule.ts';
import type { ApiName } from '../script/reply.ts';

/** One request and what became of it. */
export interface SimEntry {
  /** From 1, in the order of arrival. */
  readonly n: number;
  /** By the simulator's clock. */
  readonly at: number;
  readonly api: ApiName;
  readonly path: string;
  /** Those that carry a key are named, and hidden. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; the text where it is not JSON, nothing of it where it was too large to read. */
  readonly body: unknown;
  /** A fingerprint of the caller's key; empty where there was none. */
  readonly key: string;
  readonly model: string;
  readonly stream: boolean;
  readonly status: number;
  /** Why it was refused: rule, place and the words that were sent. */
  readonly problem?: Problem;
  readonly fault?: FaultKind;
  /** What it really cost. Absent where no answer was made. */
  readonly usage?: SimUsage;
  /** What was stated, where that is not the truth: `null` for nothing at all. */
  readonly stated?: SimUsage | null;
  readonly money: number;
  /** It asked for a summary. */
  readonly summary: boolean;
  /** The client received all of it. */
  readonly delivered: boolean;
}
