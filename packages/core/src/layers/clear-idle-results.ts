import { newDraft, replaceResult, resultsBackwards, toolName } from '../edits/edit-batch.ts';
import { cleared } from '../notices.ts';
import { type Layer, nothing } from '../view/look.ts';
import { isClearable } from './clear-old-results.ts';

/** How long a pause must be, and what outlives it. */
export interface ClearIdleResultsOptions {
  /** Since the last assistant message's own `at`; an hour by default. Without times nothing counts as idle. */
  readonly idleMs?: number;
  /** How many of the newest results stay: 5 by default, and at least one whatever is asked. */
  readonly keep?: number;
}

/** After a long pause the provider's cache is cold anyway, so clearing costs nothing extra. */
export function clearIdleResults({ idleMs = 60 * 60_000, keep = 5 }: ClearIdleResultsOptions = {}): Layer {
  return {
    name: 'clear-idle-results',
    decide(look) {
      if (look.now === undefined || look.fresh === look.slots.length) return nothing;
      const last = look.slots.findLast((slot) => slot.message.role === 'assistant')?.message.at;
      if (last === undefined || look.now - last <= idleMs) return nothing;
      const draft = newDraft(look);
      let kept = 0;
      for (const site of resultsBackwards(look, 0, look.slots.length)) {
        if (!isClearable(look, site)) continue;
        if (++kept <= Math.max(1, keep)) continue;
        draft.add(
          site.at,
          replaceResult(site, (ref) => [cleared(toolName(site), ref)]),
        );
      }
      return { edits: draft.edits };
    },
  };
}
