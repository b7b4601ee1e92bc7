import { startOf } from '../ledger/edit.ts';
import type { Trigger } from '../ledger/ledger.ts';
import { payback } from '../size/cost.ts';
import type { Look, PressureCause } from '../view/look.ts';
import type { EditBatch } from './edit-batch.ts';

/** Why a walk acts whatever it costs, where it is not for the limit. */
const FORCED: Partial<Readonly<Record<Trigger, string>>> = {
  manual: 'asked for',
  tool: 'asked for by the model',
  idle: 'done while idle',
};

/** Why a walk acts by itself, where tokens press. */
const CAUSES: Readonly<Record<PressureCause, string>> = {
  limit: 'the limit is near',
  cold: 'the cache is cold',
  price: 'the trigger is reached',
};

/** At the pace so far, the calls until the trigger: what is saved must be saved by then, since all is written anew there. */
function countCallsLeft({ slots, tokens, given }: Look): number {
  let answers = 0;
  for (const { message } of slots) {
    if (message.role === 'assistant') answers++;
  }
  return Math.max(0, Math.floor(((given.budget.trigger - tokens) * Math.max(1, answers)) / tokens));
}

/** Tokens from the first change on: what the provider's cache no longer serves. */
function countBehindFirst(look: Look, batch: EditBatch): number {
  let first = Infinity;
  for (const edit of batch.edits) {
    first = Math.min(first, look.placeOf(startOf(edit)) ?? Infinity);
  }
  let tokens = 0;
  for (const slot of look.slots) {
    if (slot.last >= first) tokens += slot.tokens;
  }
  return tokens;
}

/** Whether the edits of a batch are worth their cache break, and why. `minimum`: smaller batches wait, unless the cache is cold. */
export function judgeCost(
  look: Look,
  batch: EditBatch,
  minimum: number,
): { readonly pays: boolean; readonly reason: string } {
  const { cache, trigger } = look.given;
  const freed = batch.freed.tokens;
  const forced = look.over.tokens > 0 || look.over.bytes > 0;
  const proposal = {
    freed,
    behind: Math.max(0, countBehindFirst(look, batch) - freed),
    ...(forced ? { forced: FORCED[trigger] ?? CAUSES[look.cause ?? 'limit'] } : {}),
  };
  const remainingCalls = Math.min(cache.remainingCalls, countCallsLeft(look));
  const { pays, reason } = payback({ ...cache, remainingCalls }, proposal);
  const enough = forced || cache.state === 'cold' || freed >= minimum;
  return { pays: pays && enough, reason };
}
