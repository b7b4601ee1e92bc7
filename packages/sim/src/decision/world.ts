import type { SimClock } from '../clock.ts';
import type { FaultKind } from '../faults/fault-schedule.ts';
import type { SimModel, Vendor } from '../models.ts';
import type { Counter } from '../prompt/counter.ts';
import type { Script } from '../script/reply.ts';
import type { Conversations } from './conversations.ts';

/** What all requests of one simulator share. */
export interface World {
  readonly seed: number;
  readonly clock: SimClock;
  readonly counter: Counter;
  readonly retryAfterMs: number;
  readonly slowMs: number;
  readonly model: Script;
  readonly summaries: Script;
  listModels(): readonly SimModel[];
  findModel(name: string, vendor: Vendor): SimModel | undefined;
  findFault(n: number): FaultKind | undefined;
  readonly conversations: Conversations;
  /** How many answers a conversation has received whole, summaries not among them. */
  findTurn(conversation: string): number;
  countTurn(conversation: string, by: 1 | -1): void;
}
