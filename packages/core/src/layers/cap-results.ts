import { hasMedia, newDraft, replaceResult, resultsBackwards } from '../edits/edit-batch.ts';
import { headAndTail } from '../ledger/excerpt.ts';
import { partText } from '../message/message.ts';
import type { ToolKind } from '../message/tool-kinds.ts';
import { cutMark } from '../notices.ts';
import { type Layer, nothing } from '../view/look.ts';

/** From which length on a single output is cut. */
export interface CapResultsOptions {
  /** Characters a result may have, by kind of tool; `{ shell: 30_000 }` by default. Kinds not named are not capped. */
  readonly overChars?: Partial<Record<ToolKind, number>>;
  /** The same as a share of the effective window (at 4 characters a token), where that is less; 1 by default. */
  readonly fraction?: number;
}

/** A single long output is cut to head and tail as it arrives, before any model has seen it. */
export function capResults({ overChars = { shell: 30_000 }, fraction = 1 }: CapResultsOptions = {}): Layer {
  return {
    name: 'cap-results',
    decide(look) {
      if (look.fresh === look.slots.length) return nothing;
      const draft = newDraft(look);
      for (const site of resultsBackwards(look, look.fresh, look.slots.length)) {
        const stated = overChars[site.kind];
        if (stated === undefined || site.edited || hasMedia(site.part)) continue;
        if (look.isPinned(look.slots[site.at]!.message.id)) continue;
        const cap = Math.min(stated, Math.floor(look.budget.effective * fraction * 4));
        const source = partText(site.part);
        if (source.length <= cap) continue;
        const half = Math.floor(cap / 2);
        draft.add(
          site.at,
          replaceResult(site, (ref) => headAndTail(source, half, half, (cut) => cutMark(cut, ref))),
        );
      }
      return { edits: draft.edits };
    },
  };
}
