import { allow, checkOptions } from '../check-options.ts';
import { isReplaceable } from '../edits/clear-result.ts';
import { type EditBatch, newEditBatch } from '../edits/edit-batch.ts';
import { type ResultSite, replaceResult, resultsBackwards } from '../edits/result-sites.ts';
import { type Excerpt, excerptText } from '../ledger/edit.ts';
import { headOfBytes } from '../ledger/excerpt.ts';
import { partText } from '../message/message.ts';
import { isStashPreview, stashClose, stashOpen } from '../notices.ts';
import { windowForMessages } from '../size/budget.ts';
import { type Layer, type Look, nothing } from '../view/look.ts';
import type { Need } from '../view/need.ts';
import { groupAround } from '../view/turns.ts';

/** How much tool output a model may be sent at once. */
export interface StashLargeResultsOptions {
  /** Characters of tool results that one group on the wire may hold; 200,000 by default. The largest go first. */
  readonly overChars?: number;
  /** The same as a share of the effective window (at 4 characters a token), where that is less; 1 by default. */
  readonly fraction?: number;
  /** How much of the beginning stays in view; 2,000 by default. */
  readonly previewBytes?: number;
}

/**
 * Groups are what goes over the wire as one: all user messages between two assistant messages. Fates freeze: what a
 * model was shown whole stays whole here, and a preview, being a recorded edit, comes back byte for byte.
 */
export function stashLargeResults(options: StashLargeResultsOptions = {}): Layer {
  checkOptions<StashLargeResultsOptions>('stashLargeResults()', options, {
    overChars: allow.amount,
    fraction: allow.amount,
    previewBytes: allow.amount,
  });
  const { overChars = 200_000, fraction = 1, previewBytes = 2_000 } = options;
  return {
    name: 'stash-large-results',
    decide(look) {
      if (look.fresh === look.slots.length) return nothing;
      const cap = Math.min(overChars, Math.floor(windowForMessages(look.given.budget) * fraction * 4));
      const batch = newEditBatch(look);
      const needs: Need[] = [];
      for (let at = look.fresh; at < look.slots.length; at++) {
        if (look.slots[at]?.message.role !== 'user') continue;
        const { start, end } = groupAround(look.slots, at);
        needs.push(...stashGroup(look, batch, measureGroup(look, start, end, previewBytes), cap, previewBytes));
        at = end;
      }
      return { edits: batch.edits, needs };
    },
  };
}

interface Group {
  readonly chars: number;
  /** Its fresh results that may go, largest first. */
  readonly candidates: readonly Candidate[];
}

interface Candidate {
  readonly site: ResultSite;
  /** How much of it is in view now: less than all where an earlier layer cut it. */
  readonly shown: number;
}

/** Brings a group down to `cap` characters; answers with what must be saved outside first. */
function stashGroup(look: Look, batch: EditBatch, group: Group, cap: number, previewBytes: number): readonly Need[] {
  const needs: Need[] = [];
  let { chars } = group;
  for (const { site, shown } of group.candidates) {
    if (chars <= cap) break;
    const source = wholeText(look, site);
    const key = `stash:${site.slot.message.id}:${site.partIndex}`;
    const canStash = look.given.can.has('stash');
    const fact = canStash ? look.given.facts.get(key) : undefined;
    if (fact?.type === 'failed') continue;
    if (canStash && fact === undefined) {
      needs.push({ type: 'stash', key, text: source });
      chars -= shown - previewBytes;
      continue;
    }
    const saved = fact?.type === 'stashed' ? fact : undefined;
    const head = headOfBytes(source, previewBytes);
    const { canRecall } = look.given;
    const open = (ref: string): string => stashOpen(source.length, ref, saved?.where, canRecall);
    const preview = (ref: string): Excerpt => [open(ref), [0, head], stashClose(canRecall)];
    const taken = batch.add(site.slot, replaceResult(site, preview, saved?.ref));
    if (taken) chars -= shown - excerptText(preview(look.ref(batch.edits.length - 1)), source).length;
  }
  return needs;
}

/** What the tool said, whatever the view still shows of it: all of it is saved. */
function wholeText(look: Look, { slot, part, partIndex }: ResultSite): string {
  return partText(look.original(slot).parts[partIndex] ?? part);
}

function measureGroup(look: Look, start: number, end: number, previewBytes: number): Group {
  let chars = 0;
  const candidates: Candidate[] = [];
  for (const site of resultsBackwards(look, start, end)) {
    const text = partText(site.part);
    chars += text.length;
    const isPreview = site.edited && isStashPreview(text);
    if (site.at >= look.fresh && text.length > previewBytes && !isPreview && isReplaceable(look, site))
      candidates.push({ site, shown: text.length });
  }
  candidates.sort((a, b) => b.shown - a.shown || a.site.at - b.site.at || a.site.partIndex - b.site.partIndex);
  return { chars, candidates };
}
