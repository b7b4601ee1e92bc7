import { countBehind, foldOver, madeMessage } from '../edits/fold-slots.ts';
import type { FoldEdit } from '../ledger/edit.ts';
import { snipped } from '../notices.ts';
import { type Layer, type Look, nothing } from '../view/look.ts';
import { type Unit, unitsOf } from '../view/units.ts';

/** How many messages stay at both ends. */
export interface SnipMiddleOptions {
  /** 3 by default: the task is usually stated there. */
  readonly keepFirst?: number;
  /** 47 by default. */
  readonly keepLast?: number;
  /** `count`, the default: as soon as there are more than first + last. `limit`: only over the budget's message limit. */
  readonly when?: 'count' | 'limit';
}

/** The middle of a very long list goes as one; pinned messages in it stay. Not inside a subagent. */
export function snipMiddle({ keepFirst = 3, keepLast = 47, when = 'count' }: SnipMiddleOptions = {}): Layer {
  return {
    name: 'snip-middle',
    decide(look) {
      const notices = look.slots[keepFirst]?.fold === undefined ? 0 : 1;
      const wanted = when === 'limit' ? look.over.messages > 0 : look.slots.length - notices > keepFirst + keepLast;
      if (!look.main || !wanted) return nothing;
      const last = when === 'limit' ? Math.min(keepLast, look.budget.targetMessages - keepFirst - 1) : keepLast;
      return { edits: snip(look, keepFirst, Math.max(1, last)) };
    },
  };
}

function snip(look: Look, keepFirst: number, keepLast: number): readonly FoldEdit[] {
  const until = look.slots.length - keepLast;
  const middle = unitsOf(look.slots).filter((unit) => unit.start >= keepFirst && unit.end <= until);
  const edits: FoldEdit[] = [];
  for (const run of runsWithoutPins(look, middle)) {
    const from = look.slots[run[0]!.start]!;
    const to = look.slots[run.at(-1)!.end - 1]!;
    const ref = look.ref(edits.length);
    const count = countBehind(from, to);
    const fold = foldOver(look, from, to, ref, (standsFor) => [madeMessage(ref, standsFor, snipped(count, ref))]);
    const tokens = run.reduce((sum, unit) => sum + unit.tokens, 0);
    if (run.length > 1 && look.count(fold.messages[0]!) < tokens) edits.push(fold);
  }
  return edits;
}

function runsWithoutPins(look: Look, units: readonly Unit[]): readonly (readonly Unit[])[] {
  const runs: Unit[][] = [[]];
  for (const unit of units) {
    const pinned = look.slots.slice(unit.start, unit.end).some((slot) => look.isPinned(slot.message.id));
    if (pinned) runs.push([]);
    else runs.at(-1)!.push(unit);
  }
  return runs.filter((run) => run.length > 0);
}
