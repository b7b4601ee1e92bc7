import { hasMedia, newDraft, type ResultSite, replaceResult, resultsBackwards } from '../edits/edit-batch.ts';
import { headOfBytes } from '../ledger/excerpt.ts';
import { partText } from '../message/message.ts';
import { stashClose, stashOpen } from '../notices.ts';
import { type Layer, type Look, type Need, nothing } from '../view/look.ts';
import { groupAround } from '../view/units.ts';

/** How much tool output a model may be sent at once. */
export interface StashLargeResultsOptions {
  /** Characters of tool results that one group on the wire may hold; 200,000 by default. The largest go first. */
  readonly overChars?: number;
  /** The same as a share of the effective window (at 4 characters a token), where that is less; 1 by default. */
  readonly fraction?: number;
  /** How much of the beginning stays in view; 2,000 by default. */
  readonly previewBytes?: number;
}

interface Sized {
  readonly site: ResultSite;
  readonly source: string;
}

/**
 * Groups are what goes over the wire as one: all user messages between two assistant messages. Fates freeze: what a
 * model was shown whole stays whole here, and a preview, being a recorded edit, comes back byte for byte.
 */
export function stashLargeResults(options: StashLargeResultsOptions = {}): Layer {
  const { overChars = 200_000, fraction = 1, previewBytes = 2_000 } = options;
  return {
    name: 'stash-large-results',
    decide(look) {
      if (look.fresh === look.slots.length) return nothing;
      const cap = Math.min(overChars, Math.floor(look.budget.effective * fraction * 4));
      const draft = newDraft(look);
      const needs: Need[] = [];
      for (let at = look.fresh; at < look.slots.length; ) {
        if (look.slots[at]!.message.role !== 'user') {
          at++;
          continue;
        }
        const { start, end } = groupAround(look.slots, at);
        at = end;
        const { total, candidates } = measure(look, start, end, previewBytes);
        let chars = total;
        for (const { site, source } of candidates) {
          if (chars <= cap) break;
          const key = `stash:${look.slots[site.at]!.message.id}:${site.place}`;
          const fact = look.hasStash ? look.fact(key) : undefined;
          if (fact?.type === 'failed') continue;
          if (look.hasStash && fact === undefined) {
            needs.push({ type: 'stash', key, text: source });
            chars -= source.length - previewBytes;
            continue;
          }
          const saved = fact?.type === 'stashed' ? fact.ref : undefined;
          const head = headOfBytes(source, previewBytes);
          const taken = draft.add(
            site.at,
            replaceResult(site, (ref) => [stashOpen(source.length, ref, saved), [0, head], stashClose], saved),
          );
          if (taken) chars -= source.length - head;
        }
      }
      return { edits: draft.edits, needs };
    },
  };
}

/** A group's characters, and its fresh results that may go, largest first. */
function measure(
  look: Look,
  start: number,
  end: number,
  previewBytes: number,
): { total: number; candidates: readonly Sized[] } {
  let total = 0;
  const candidates: Sized[] = [];
  for (const site of resultsBackwards(look, start, end)) {
    const source = partText(site.part);
    total += source.length;
    const eligible = site.at >= look.fresh && !site.edited && source.length > previewBytes && !hasMedia(site.part);
    if (eligible && !look.isPinned(look.slots[site.at]!.message.id)) candidates.push({ site, source });
  }
  candidates.sort((a, b) => b.source.length - a.source.length || a.site.at - b.site.at || a.site.place - b.site.place);
  return { total, candidates };
}
