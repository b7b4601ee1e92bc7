import { allow, checkOptions, type OptionRules } from '../check-options.ts';
import { newEditBatch } from '../edits/edit-batch.ts';
import { hasMedia, replaceResult, resultsBackwards } from '../edits/result-sites.ts';
import { headAndTail } from '../ledger/excerpt.ts';
import { partText } from '../message/message.ts';
import type { ToolKind } from '../message/tool-kinds.ts';
import { cutMark } from '../notices.ts';
import { windowForMessages } from '../size/budget.ts';
import { type Layer, nothing } from '../view/look.ts';

/** From which length on a single output is cut. */
export interface CapResultsOptions {
  /** Characters a result may have, by kind of tool; `{ shell: 30_000 }` by default. Kinds not named are not capped. */
  readonly overChars?: Partial<Record<ToolKind, number>>;
  /** The same as a share of the effective window (at 4 characters a token), where that is less; 1 by default. */
  readonly fraction?: number;
}

const kindRules: OptionRules<Record<ToolKind, number>> = {
  read: allow.amount,
  shell: allow.amount,
  grep: allow.amount,
  glob: allow.amount,
  'web-search': allow.amount,
  'web-fetch': allow.amount,
  edit: allow.amount,
  write: allow.amount,
  todo: allow.amount,
  plan: allow.amount,
  task: allow.amount,
  skill: allow.amount,
  other: allow.amount,
};

/** A single long output is cut to head and tail as it arrives, before any model has seen it. */
export function capResults(options: CapResultsOptions = {}): Layer {
  checkOptions<CapResultsOptions>('capResults()', options, { overChars: allow.object, fraction: allow.amount });
  const { overChars = { shell: 30_000 }, fraction = 1 } = options;
  checkOptions('"overChars" of capResults()', overChars, kindRules);
  return {
    name: 'cap-results',
    decide(look) {
      if (look.fresh === look.slots.length) return nothing;
      const batch = newEditBatch(look);
      for (const site of resultsBackwards(look, look.fresh, look.slots.length)) {
        const stated = overChars[site.kind];
        if (stated === undefined || site.edited || hasMedia(site.part)) continue;
        if (look.isPinned(site.slot.message.id)) continue;
        const cap = Math.min(stated, Math.floor(windowForMessages(look.given.budget) * fraction * 4));
        const source = partText(site.part);
        if (source.length <= cap) continue;
        const half = Math.floor(cap / 2);
        batch.add(
          site.slot,
          replaceResult(site, (ref) => headAndTail(source, half, half, (gone) => cutMark(gone, ref))),
        );
      }
      return { edits: batch.edits };
    },
  };
}
