import type { SimClock } from '../clock.ts';
import type { FaultKind } from '../faults/fault-schedule.ts';
import type { SimModel, Vendor } from '../models.ts';
import type { Counter } from '../prompt/counter.ts';
import type { Script } from '../script/reply.ts';

/** What all requests of one simulator share. */
export interface World {
  readonly seed: number;
  readonly clock: SimClock;
  readonly counter: Counter;
  readonly retryAfterMs: number;
  readonly slowMs: number;
  readonly model: Script;
  readonly summaries: Script;
  findModel(name: string, vendor: Vendor): SimModel | undefined;
  findFault(n: number): FaultKind | undefined;
  /** How many answers a key has received whole, summaries not among them. */
  findTurn(key: string): number;
  countTurn(key: string, by: 1 | -1): void;
}
