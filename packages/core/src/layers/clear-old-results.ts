import { allow, checkOptions, type OptionRules } from '../check-options.ts';
import { type EditBatch, newEditBatch } from '../edits/edit-batch.ts';
import { judgeCost } from '../edits/judge-cost.ts';
import { hasMedia, type ResultSite, replaceResult, resultsBackwards, toolName } from '../edits/result-sites.ts';
import { partText } from '../message/message.ts';
import type { ToolKind } from '../message/tool-kinds.ts';
import { clearedNotice } from '../notices.ts';
import { share } from '../size/budget.ts';
import { type Decision, hasCrossed, isAutomatic, type Layer, type Look, nothing } from '../view/look.ts';
import { lastTurns } from '../view/turns.ts';

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
  CLEARABLE.has(site.kind) && !site.edited && !hasMedia(site.part) && !look.isPinned(site.slot.message.id);

type Mode = ClearOldResultsOptions['mode'];
type OptionsOf<Name extends Mode> = Extract<ClearOldResultsOptions, { mode: Name }>;

const mode = allow.oneOf('count', 'prune', 'native');
const rules: { readonly [Name in Mode]: OptionRules<OptionsOf<Name>> } = {
  count: { mode, keep: allow.amount, overChars: allow.amount },
  prune: {
    mode,
    protectTurns: allow.amount,
    protectTokens: allow.amount,
    protectFraction: allow.amount,
    minimumTokens: allow.amount,
    minimumFraction: allow.amount,
    when: allow.oneOf('pressure', 'batch', 'pays'),
    exceptTools: allow.strings,
  },
  native: { mode, keep: allow.amount, overCount: allow.amount, exceptTools: allow.strings },
};

/** Old tool results give way to one-line placeholders; the calls stay. */
export function clearOldResults(options: ClearOldResultsOptions = { mode: 'prune' }): Layer {
  const known = options?.mode === 'count' || options?.mode === 'native' ? rules[options.mode] : rules.prune;
  checkOptions<ClearOldResultsOptions>('clearOldResults()', options, known);
  return {
    name: 'clear-old-results',
    decide(look) {
      if (options.mode === 'count') return clearByCount(look, options.keep ?? 3, options.overChars ?? 120);
      return options.mode === 'native' ? askProvider(look, options) : clearByAge(look, options);
    },
  };
}

/** Puts the placeholder into a result's place; says whether that made the view smaller. */
export const clearResult = (batch: EditBatch, site: ResultSite): boolean =>
  batch.add(
    site.slot,
    replaceResult(site, (ref) => [clearedNotice(toolName(site), ref)]),
  );

function clearByCount(look: Look, keep: number, overChars: number): Decision {
  if (look.fresh === look.slots.length && !look.pressed) return nothing;
  const batch = newEditBatch(look);
  let passed = 0;
  let settled = 0;
  for (const site of resultsBackwards(look, 0, look.slots.length)) {
    if (++passed <= Math.max(1, keep)) continue;
    // Everything before a few results that were cleared by an earlier call was cleared by it too.
    if (site.edited && ++settled > 3) break;
    if (!isClearable(look, site) || partText(site.part).length <= overChars) continue;
    clearResult(batch, site);
  }
  return { edits: batch.edits };
}

function clearByAge(look: Look, options: OptionsOf<'prune'>): Decision {
  const { protectTurns = 2, protectTokens = 40_000, protectFraction = 0.25, when = 'pressure' } = options;
  const { budget, cache } = look.given;
  const minimum = share(budget, options.minimumTokens ?? 20_000, options.minimumFraction ?? 0.1);
  const pressed = look.over.tokens > 0 || look.over.bytes > 0;
  const cold = when === 'pays' && cache.state === 'cold' && look.fresh < look.slots.length;
  const due = pressed || cold || (when !== 'pressure' && hasCrossed(look, Math.max(1, Math.floor(minimum / 2))));
  if (!due || (!pressed && !isAutomatic(look))) return nothing;

  const protect = share(budget, protectTokens, protectFraction);
  const wide = clearBefore(look, lastTurns(look.slots, protectTurns), protect, options.exceptTools);
  if (!pressed) {
    if (wide.edits.length === 0 || (when === 'batch' && wide.freed.tokens < minimum)) return nothing;
    const { pays, reason } = judgeCost(look, wide, minimum);
    return when === 'batch' || pays ? { edits: wide.edits, reason } : nothing;
  }
  const enough = Math.min(minimum, look.over.tokens);
  // One endless turn must not shield everything: then only the newest output is safe.
  const batch = wide.freed.tokens >= enough ? wide : clearBefore(look, look.slots.length, protect, options.exceptTools);
  return batch.edits.length > 0 && batch.freed.tokens >= enough
    ? { edits: batch.edits, reason: judgeCost(look, batch, 0).reason }
    : nothing;
}

function clearBefore(
  look: Look,
  safeFrom: number,
  protectTokens: number,
  exceptTools: readonly string[] = [],
): EditBatch {
  const batch = newEditBatch(look);
  let output = 0;
  for (const site of resultsBackwards(look, 0, look.slots.length)) {
    output += site.slot.tokens;
    if (site.at >= safeFrom || output <= protectTokens) continue;
    if (isClearable(look, site) && !exceptTools.includes(toolName(site))) clearResult(batch, site);
  }
  return batch;
}

function askProvider(look: Look, options: OptionsOf<'native'>): Decision {
  const { keep = 3, overCount = 20, exceptTools = [] } = options;
  if (!look.given.wire.nativeEditing) return nothing;
  let count = 0;
  for (const site of resultsBackwards(look, 0, look.slots.length))
    if (CLEARABLE.has(site.kind) && ++count > overCount) break;
  if (count <= overCount) return nothing;
  return { edits: [], native: [{ type: 'clear-results', keep, ...(exceptTools.length === 0 ? {} : { exceptTools }) }] };
}
