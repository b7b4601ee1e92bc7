import { allow, checkOptions } from '../check-options.ts';
import { clearResult, isReplaceable, REPEATABLE } from '../edits/clear-result.ts';
import { newEditBatch } from '../edits/edit-batch.ts';
import { resultsBackwards } from '../edits/result-sites.ts';
import { type Layer, nothing } from '../view/look.ts';

/** How long a pause must be, and what outlives it. */
export interface ClearIdleResultsOptions {
  /** Since the last assistant message's own `at`; an hour by default. Without times nothing counts as idle. */
  readonly idleMs?: number;
  /** How many of the newest results stay: 5 by default, and at least one whatever is asked. */
  readonly keep?: number;
}

/** After a long pause the provider's cache is cold anyway, so clearing costs nothing extra. */
export function clearIdleResults(options: ClearIdleResultsOptions = {}): Layer {
  checkOptions<ClearIdleResultsOptions>('clearIdleResults()', options, { idleMs: allow.amount, keep: allow.amount });
  const { idleMs = 60 * 60_000, keep = 5 } = options;
  return {
    name: 'clear-idle-results',
    decide(look) {
      const { now } = look.given;
      if (now === undefined || look.fresh === look.slots.length) return nothing;
      const last = look.slots.findLast((slot) => slot.message.role === 'assistant')?.message.at;
      if (last === undefined || now - last <= idleMs) return nothing;
      const batch = newEditBatch(look);
      let kept = 0;
      for (const site of resultsBackwards(look, 0, look.slots.length)) {
        if (!REPEATABLE.has(site.kind) || !isReplaceable(look, site)) continue;
        if (++kept > Math.max(1, keep)) clearResult(batch, site);
      }
      return { edits: batch.edits };
    },
  };
}
