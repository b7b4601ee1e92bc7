import { allow, checkOptions } from '../../check-options.ts';
import { type Layer, type Look, nothing } from '../../view/look.ts';
import { hearCarry } from './carry.ts';
import { findDraft, findNarrative, hearHooks } from './narrative.ts';
import type { SummarizeHistoryOptions } from './summary-options.ts';
import { findSummarySpan } from './summary-span.ts';
import { writeSummary } from './write-summary.ts';

export type { SummarizeHistoryOptions } from './summary-options.ts';

/**
 * The last resort that still tells what was said: one live summary, brought up to date and never nested. A model writes
 * the narrative where there is one; the evidence beside it is by code always, read off the transcript itself, so it does
 * not wear out however often it is done.
 */
export function summarizeHistory(options: SummarizeHistoryOptions = {}): Layer {
  checkOptions<SummarizeHistoryOptions>('summarizeHistory()', options, {
    tailTurns: allow.amount,
    tailFraction: allow.amount,
    tailLeast: allow.amount,
    tailMost: allow.amount,
    narrativeTokens: allow.amount,
    evidenceTokens: allow.amount,
    evidenceLeast: allow.amount,
    model: allow.oneOf('on', 'off'),
    attach: allow.boolean,
  });
  return {
    name: 'summarize-history',
    decide(look) {
      if (look.over.tokens === 0 && look.over.messages === 0 && !isDemanded(look)) return nothing;
      const drafted = findDraft(look, options);
      const span = drafted?.span ?? findSummarySpan(look, options);
      if (span === undefined) return nothing;
      const hooks = hearHooks(look, span);
      if (hooks.need !== undefined) return { edits: [], needs: [hooks.need] };
      if (hooks.veto !== undefined) return { edits: [], reason: `vetoed: ${hooks.veto}` };
      const told = findNarrative(look, span, options, drafted?.draft, hooks.instructions);
      if (told.need !== undefined) return { edits: [], needs: [told.need] };
      const carry = options.attach === false ? { items: [] } : hearCarry(look);
      if (carry.need !== undefined) return { edits: [], needs: [carry.need] };
      return writeSummary(look, span, options, told, carry.items);
    },
  };
}

/** Somebody asked for a summary: then clearing old results is no answer, however much it freed. */
const isDemanded = ({ given: { trigger, asked } }: Look): boolean =>
  trigger === 'manual' || trigger === 'tool' || asked.form !== undefined || asked.instructions !== undefined;
