import { allow, checkOptions, type OptionRules } from '../check-options.ts';
import { newEditBatch } from '../edits/edit-batch.ts';
import { hasMedia, replaceResult, resultsBackwards } from '../edits/result-sites.ts';
import type { Excerpt } from '../ledger/edit.ts';
import { headAndTail, headEnd } from '../ledger/excerpt.ts';
import { partText } from '../message/message.ts';
import type { ToolKind } from '../message/tool-kinds.ts';
import { cutMark, truncatedNotice } from '../notices.ts';
import { windowForMessages } from '../size/budget.ts';
import { type Layer, nothing } from '../view/look.ts';

/** From which length on a single output is cut. */
export interface CapResultsOptions {
  /** Characters a result may have, by kind of tool; `{ shell: 30_000 }` by default. Kinds not named are not capped. */
  readonly overChars?: Partial<Record<ToolKind, number>>;
  /** The same as a share of the effective window (at 4 characters a token), where that is less; 1 by default. */
  readonly fraction?: number;
  /** `head-and-tail`, the default: an outcome stands at the end of an output. `head`: the beginning alone. */
  readonly shows?: 'head-and-tail' | 'head';
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
  checkOptions<CapResultsOptions>('capResults()', options, {
    overChars: allow.object,
    fraction: allow.amount,
    shows: allow.oneOf('head-and-tail', 'head'),
  });
  const { overChars = { shell: 30_000 }, fraction = 1, shows = 'head-and-tail' } = options;
  const cut = shows === 'head' ? cutTail : cutMiddle;
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
        batch.add(
          site.slot,
          replaceResult(site, (ref) => cut(source, cap, ref, look.given.canRecall)),
        );
      }
      return { edits: batch.edits };
    },
  };
}

function cutMiddle(source: string, cap: number, ref: string, canRecall: boolean): Excerpt {
  const half = Math.floor(cap / 2);
  return headAndTail(source, half, half, (gone) => cutMark(gone, ref, canRecall));
}

/** What goes must be more than the notice takes. */
const NOTICE_ROOM = 200;

function cutTail(source: string, cap: number, ref: string, canRecall: boolean): Excerpt {
  const end = headEnd(source, Math.min(cap, source.length - NOTICE_ROOM));
  return [[0, end], truncatedNotice(source.length, end, ref, canRecall)];
}
