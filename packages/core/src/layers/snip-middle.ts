import { allow, checkOptions } from '../check-options.ts';
import { newEditBatch } from '../edits/edit-batch.ts';
import { countBehind, foldSlots, makeMessage } from '../edits/fold-slots.ts';
import { dropParts, splitAround } from '../edits/hide-around.ts';
import type { Edit } from '../ledger/edit.ts';
import { callsOf, type Message, resultsOf } from '../message/message.ts';
import { snippedNotice } from '../notices.ts';
import { type Layer, type Look, nothing } from '../view/look.ts';
import type { Slot } from '../view/slot.ts';
import { type Span, type Unit, unitsOf } from '../view/units.ts';

/** How many messages stay at both ends. */
export interface SnipMiddleOptions {
  /** 3 by default: the task is usually stated there. */
  readonly keepFirst?: number;
  /** 47 by default. */
  readonly keepLast?: number;
  /** `count`, the default: as soon as there are more than first + last. `limit`: only over the budget's message limit. */
  readonly when?: 'count' | 'limit';
}

/** The middle of a very long list goes; pinned messages in it stay, and what users and clients wrote. Not inside a subagent. */
export function snipMiddle(options: SnipMiddleOptions = {}): Layer {
  checkOptions<SnipMiddleOptions>('snipMiddle()', options, {
    keepFirst: allow.amount,
    keepLast: allow.amount,
    when: allow.oneOf('count', 'limit'),
  });
  const { keepFirst = 3, keepLast = 47, when = 'count' } = options;
  return {
    name: 'snip-middle',
    decide(look) {
      const { budget, subagent } = look.given;
      const notices = look.slots[keepFirst]?.fold === undefined ? 0 : 1;
      const wanted = when === 'limit' ? look.over.messages > 0 : look.slots.length - notices > keepFirst + keepLast;
      if (subagent || !wanted) return nothing;
      const last = when === 'limit' ? Math.min(keepLast, budget.targetMessages - keepFirst - 1) : keepLast;
      const until = look.slots.length - Math.max(1, last);
      const middle = unitsOf(look.slots).filter((unit) => unit.start >= keepFirst && unit.end <= until);
      return middle.length > 1 ? { edits: snipUnits(look, middle, 2) } : nothing;
    },
  };
}

/** Each run of what may go, of at least so many messages, gives way to a notice of its own; where that would be no smaller, it stays. */
export function snipUnits(look: Look, units: readonly Unit[], leastMessages = 1): readonly Edit[] {
  const hiding = splitAround(look, units);
  const noticeOf = (run: Span, ref: string): readonly Message[] => {
    const made = makeMessage(ref, undefined, snippedNotice(countBehind(run), ref, look.given.canRecall));
    return look.count(made) < run.tokens ? [made] : [];
  };
  // Calls and results go together, whatever a notice would cost.
  const isWorth = (run: Span): boolean => run.slots.length >= leastMessages && noticeOf(run, look.ref(0)).length > 0;
  const runs = hiding.runs.filter((run) => isWorth(run) || run.slots.some(isPaired));
  if (runs.length === 0) return [];
  const batch = newEditBatch(look);
  dropParts(batch, hiding);
  const folds = runs.map((run, i) => {
    const ref = look.ref(batch.edits.length + i);
    return foldSlots(look, run, ref, (standsFor) => noticeOf(run, ref).map((made) => ({ ...made, standsFor })));
  });
  return [...batch.edits, ...folds];
}

const isPaired = ({ message }: Slot): boolean => callsOf(message).length > 0 || resultsOf(message).length > 0;
