import { type Layer, type Look, nothing } from '../../view/look.ts';
import { hearCarry } from './carry.ts';
import { findDraft, findNarrative, hasLittleRoom, hearHooks, isAskedFor } from './narrative.ts';
import { checkSummaryOptions, type SummarizeHistoryOptions } from './summary-options.ts';
import { findSummarySpan } from './summary-span.ts';
import { writeSummary } from './write-summary.ts';

export type { SummarizeHistoryOptions } from './summary-options.ts';

/**
 * The last resort that still tells what was said: one live summary, brought up to date and never nested. A model writes
 * the narrative where there is one; the evidence beside it is by code always, read off the transcript itself, so it does
 * not wear out however often it is done.
 */
export function summarizeHistory(options: SummarizeHistoryOptions = {}): Layer {
  checkSummaryOptions(options);
  return {
    name: 'summarize-history',
    sparesModel: (budget) => options.model === 'off' || hasLittleRoom(budget, options.modelFrom ?? 0),
    decide(look) {
      if (look.over.tokens === 0 && look.over.messages === 0 && !isDemanded(look, options)) return nothing;
      const drafted = findDraft(look, options);
      const span = drafted?.span ?? findSummarySpan(look, options);
      if (span === undefined) return nothing;
      const hooks = hearHooks(look, span);
      if (hooks.need !== undefined) return { edits: [], needs: [hooks.need] };
      if (hooks.veto !== undefined) return { edits: [], reason: `vetoed: ${hooks.veto}` };
      const told = findNarrative(look, span, options, drafted?.draft, hooks);
      if (told.need !== undefined) return { edits: [], needs: [told.need] };
      const carry = options.attach === false ? { items: [] } : hearCarry(look);
      if (carry.need !== undefined) return { edits: [], needs: [carry.need] };
      const goesOn = options.autoContinue === true && look.given.trigger === 'auto' && hooks.autoContinue !== false;
      return writeSummary(look, span, options, told, carry.items, goesOn);
    },
  };
}

/** Somebody asked for a summary, or one is always written: then clearing old results is no answer, however much it freed. */
const isDemanded = (look: Look, { always }: SummarizeHistoryOptions): boolean =>
  isAskedFor(look) || (always === true && look.shown.tokens >= look.given.budget.trigger);
