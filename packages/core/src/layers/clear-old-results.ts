import {
  type Draft,
  hasMedia,
  newDraft,
  type ResultSite,
  replaceResult,
  resultsBackwards,
  toolName,
  worth,
} from '../edits/edit-batch.ts';
import { partText } from '../message/message.ts';
import type { ToolKind } from '../message/tool-kinds.ts';
import { cleared } from '../notices.ts';
import { share } from '../size/budget.ts';
import { crossed, type Decision, type Layer, type Look, nothing } from '../view/look.ts';
import { lastTurns } from '../view/units.ts';

/** Three ways to clear, by `mode`; without options it is `prune`. */
export type ClearOldResultsOptions =
  /** Keep the last few results (3), clear older ones over a size (120 characters), on every call. */
  | { readonly mode: 'count'; readonly keep?: number; readonly overChars?: number }
  /** Walk back: the last turns and the newest tool output are safe; clear what is older if that frees enough. */
  | {
      readonly mode: 'prune';
      /** So many of the last turns are safe; 2 by default. */
      readonly protectTurns?: number;
      /** So much of the newest tool output is safe: 40,000 tokens, or 0.25 of the effective window where that is less. */
      readonly protectTokens?: number;
      readonly protectFraction?: number;
      /** Less is not worth a change: 20,000 tokens, or 0.1 of the effective window where that is less. */
      readonly minimumTokens?: number;
      readonly minimumFraction?: number;
      /**
       * `pressure`, the default: only at the trigger. `batch`: also whenever the minimum can be freed. `pays`: also when
       * the cost model says so.
       */
      readonly when?: 'pressure' | 'batch' | 'pays';
      /** Results of these tools stay. */
      readonly exceptTools?: readonly string[];
    }
  /** Leave messages alone and ask the provider to drop results by its own context editing. */
  | {
      readonly mode: 'native';
      /** The newest results that stay; 3 by default. */
      readonly keep?: number;
      /** Nothing is asked for up to so many results; 20 by default. */
      readonly overCount?: number;
      readonly exceptTools?: readonly string[];
    };

const CLEARABLE: ReadonlySet<ToolKind> = new Set([
  'read',
  'shell',
  'grep',
  'glob',
  'web-search',
  'web-fetch',
  'edit',
  'write',
]);

/** Only results that can be had again or that the work has moved past; never images, pins, or what is already replaced. */
export const isClearable = (look: Look, site: ResultSite): boolean =>
  CLEARABLE.has(site.kind) && !site.edited && !hasMedia(site.part) && !look.isPinned(look.slots[site.at]!.message.id);

/** Old tool results give way to one-line placeholders; the calls stay. */
export function clearOldResults(options: ClearOldResultsOptions = { mode: 'prune' }): Layer {
  return {
    name: 'clear-old-results',
    decide(look) {
      if (options.mode === 'count') return byCount(look, options.keep ?? 3, options.overChars ?? 120);
      return options.mode === 'native' ? byProvider(look, options) : byAge(look, options);
    },
  };
}

function clear(draft: Draft, site: ResultSite): boolean {
  return draft.add(
    site.at,
    replaceResult(site, (ref) => [cleared(toolName(site), ref)]),
  );
}

function byCount(look: Look, keep: number, overChars: number): Decision {
  if (look.fresh === look.slots.length && !look.pressed) return nothing;
  const draft = newDraft(look);
  let passed = 0;
  let settled = 0;
  for (const site of resultsBackwards(look, 0, look.slots.length)) {
    if (++passed <= Math.max(1, keep)) continue;
    // Everything before a few results that were cleared by an earlier call was cleared by it too.
    if (site.edited && ++settled > 3) break;
    if (!isClearable(look, site) || partText(site.part).length <= overChars) continue;
    clear(draft, site);
  }
  return { edits: draft.edits };
}

function byAge(look: Look, options: Extract<ClearOldResultsOptions, { mode: 'prune' }>): Decision {
  const { protectTurns = 2, protectTokens = 40_000, protectFraction = 0.25, when = 'pressure' } = options;
  const minimum = share(look.budget, options.minimumTokens ?? 20_000, options.minimumFraction ?? 0.1);
  const pressed = look.over.tokens > 0 || look.over.bytes > 0;
  const cold = when === 'pays' && look.cache.state === 'cold' && look.fresh < look.slots.length;
  const due = pressed || cold || (when !== 'pressure' && crossed(look, Math.max(1, Math.floor(minimum / 2))));
  if (!due) return nothing;

  const protect = share(look.budget, protectTokens, protectFraction);
  const wide = clearBefore(look, lastTurns(look.slots, protectTurns), protect, options.exceptTools);
  if (!pressed) {
    if (wide.edits.length === 0 || (when === 'batch' && wide.freedTokens < minimum)) return nothing;
    const { pays, reason } = worth(look, wide, minimum);
    return when === 'batch' || pays ? { edits: wide.edits, reason } : nothing;
  }
  const enough = Math.min(minimum, look.over.tokens);
  // One endless turn must not shield everything: then only the newest output is safe.
  const draft = wide.freedTokens >= enough ? wide : clearBefore(look, look.slots.length, protect, options.exceptTools);
  return draft.edits.length > 0 && draft.freedTokens >= enough
    ? { edits: draft.edits, reason: worth(look, draft, 0).reason }
    : nothing;
}

function clearBefore(look: Look, safeFrom: number, protectTokens: number, exceptTools: readonly string[] = []): Draft {
  const draft = newDraft(look);
  let output = 0;
  for (const site of resultsBackwards(look, 0, look.slots.length)) {
    output += look.slots[site.at]!.tokens;
    if (site.at >= safeFrom || output <= protectTokens) continue;
    if (isClearable(look, site) && !exceptTools.includes(toolName(site))) clear(draft, site);
  }
  return draft;
}

function byProvider(look: Look, options: Extract<ClearOldResultsOptions, { mode: 'native' }>): Decision {
  const { keep = 3, overCount = 20, exceptTools = [] } = options;
  if (!look.wire.nativeEditing) return nothing;
  let count = 0;
  for (const site of resultsBackwards(look, 0, look.slots.length))
    if (CLEARABLE.has(site.kind) && ++count > overCount) break;
  if (count <= overCount) return nothing;
  return { edits: [], native: [{ type: 'clear-results', keep, ...(exceptTools.length === 0 ? {} : { exceptTools }) }] };
}
