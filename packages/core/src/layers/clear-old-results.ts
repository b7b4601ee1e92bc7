import { allow, checkOptions, type OptionRules } from '../check-options.ts';
import { clearResult, isReplaceable, REPEATABLE } from '../edits/clear-result.ts';
import { type EditBatch, newEditBatch } from '../edits/edit-batch.ts';
import { judgeCost } from '../edits/judge-cost.ts';
import { type ResultSite, resultsBackwards, toolName } from '../edits/result-sites.ts';
import { partText } from '../message/message.ts';
import { share } from '../size/budget.ts';
import { type Decision, hasCrossed, isAutomatic, type Layer, type Look, nothing } from '../view/look.ts';
import type { Slot } from '../view/slot.ts';
import { lastTurns } from '../view/turns.ts';
import { askProvider, type NativeClearOptions } from './ask-provider.ts';

/** Three ways to clear, by `mode`; without options it is `prune`. */
export type ClearOldResultsOptions =
  /** Keep the last few results (3), clear older ones over a size (120 characters), on every call. */
  | {
      readonly mode: 'count';
      readonly keep?: number;
      readonly overChars?: number;
      /** `repeatable`, the default: results that can be had again (files, shell, searches, web). `every`: of all tools. */
      readonly tools?: 'repeatable' | 'every';
      /** Results of these tools stay. */
      readonly exceptTools?: readonly string[];
    }
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
      /** Under pressure, `further`, the default: less than the minimum will do, and one endless turn shields nothing. `same`: no. */
      readonly underPressure?: 'further' | 'same';
      readonly tools?: 'repeatable' | 'every';
      /** Results of these tools stay: named as the model calls them, or by their kind (`skill`). */
      readonly exceptTools?: readonly string[];
      /** What failed calls answered stays as well; false by default. */
      readonly keepFailed?: boolean;
    }
  /** Leave messages alone and ask the provider to drop results by its own context editing. */
  | NativeClearOptions;

type Mode = ClearOldResultsOptions['mode'];
type OptionsOf<Name extends Mode> = Extract<ClearOldResultsOptions, { mode: Name }>;

const mode = allow.oneOf('count', 'prune', 'native');
const tools = allow.oneOf('repeatable', 'every');
const rules: { readonly [Name in Mode]: OptionRules<OptionsOf<Name>> } = {
  count: { mode, keep: allow.amount, overChars: allow.amount, tools, exceptTools: allow.strings },
  prune: {
    mode,
    protectTurns: allow.amount,
    protectTokens: allow.amount,
    protectFraction: allow.amount,
    minimumTokens: allow.amount,
    minimumFraction: allow.amount,
    when: allow.oneOf('pressure', 'batch', 'pays'),
    underPressure: allow.oneOf('further', 'same'),
    tools,
    exceptTools: allow.strings,
    keepFailed: allow.boolean,
  },
  native: {
    mode,
    keep: allow.amount,
    overCount: allow.amount,
    atLeastTokens: allow.amount,
    exceptTools: allow.strings,
  },
};

/** Old tool results give way to one-line placeholders; the calls stay. */
export function clearOldResults(options: ClearOldResultsOptions = { mode: 'prune' }): Layer {
  const known = options?.mode === 'count' || options?.mode === 'native' ? rules[options.mode] : rules.prune;
  checkOptions<ClearOldResultsOptions>('clearOldResults()', options, known);
  return {
    name: 'clear-old-results',
    decide(look) {
      if (options.mode === 'count') return clearByCount(look, options);
      return options.mode === 'native' ? askProvider(look, options) : clearByAge(look, options);
    },
  };
}

/** Which results an option is about. */
const isMeant = (site: ResultSite, { tools, exceptTools = [] }: OptionsOf<'count' | 'prune'>): boolean =>
  (tools === 'every' || REPEATABLE.has(site.kind)) &&
  !exceptTools.some((name) => name === toolName(site) || name === site.kind);

function clearByCount(look: Look, options: OptionsOf<'count'>): Decision {
  if (look.fresh === look.slots.length && !look.pressed) return nothing;
  const { keep = 3, overChars = 120 } = options;
  const batch = newEditBatch(look);
  let passed = 0;
  for (const site of resultsBackwards(look, 0, look.slots.length)) {
    if (++passed <= Math.max(1, keep) || !isReplaceable(look, site) || !isMeant(site, options)) continue;
    if (partText(site.part).length > overChars) clearResult(batch, site);
  }
  return { edits: batch.edits };
}

function clearByAge(look: Look, options: OptionsOf<'prune'>): Decision {
  const { protectTurns = 2, protectTokens = 40_000, protectFraction = 0.25, when = 'pressure' } = options;
  const { budget, cache } = look.given;
  const minimum = share(budget, options.minimumTokens ?? 20_000, options.minimumFraction ?? 0.1);
  const pressed = look.over.tokens > 0 || look.over.bytes > 0;
  const hasNews = look.fresh < look.slots.length;
  const paysNow =
    when === 'pays' && (cache.state === 'cold' ? hasNews : hasCrossed(look, Math.max(1, Math.floor(minimum / 2))));
  const due = pressed || paysNow || (when === 'batch' && hasNews);
  if (!due || (!pressed && !isAutomatic(look))) return nothing;

  const protect = share(budget, protectTokens, protectFraction);
  const wide = clearBefore(look, lastTurns(look.slots, protectTurns), protect, options);
  if (!pressed) {
    if (wide.edits.length === 0 || (when === 'batch' && wide.freed.tokens < minimum)) return nothing;
    if (when === 'batch') return { edits: wide.edits, reason: `a batch is full (${wide.freed.tokens} tokens go)` };
    const { pays, reason } = judgeCost(look, wide, minimum);
    return pays ? { edits: wide.edits, reason } : nothing;
  }
  const further = options.underPressure !== 'same';
  const enough = further ? Math.min(minimum, look.over.tokens) : minimum;
  // One endless turn must not shield everything: then only the newest output is safe.
  const batch = further && wide.freed.tokens < enough ? clearBefore(look, look.slots.length, protect, options) : wide;
  if (batch.edits.length === 0 || batch.freed.tokens < enough) return nothing;
  const { reason } = judgeCost(look, batch, 0);
  return { edits: batch.edits, reason };
}

function clearBefore(look: Look, safeFrom: number, protectTokens: number, options: OptionsOf<'prune'>): EditBatch {
  const batch = newEditBatch(look);
  const tokensOf = newShareCounter();
  let output = 0;
  for (const site of resultsBackwards(look, 0, look.slots.length)) {
    output += tokensOf(site);
    if (site.at >= safeFrom || output <= protectTokens || (options.keepFailed === true && site.part.isError === true))
      continue;
    if (isReplaceable(look, site) && isMeant(site, options)) clearResult(batch, site);
  }
  return batch;
}

/** A result's part of its message: results that came together are each counted for what they are. */
function newShareCounter(): (site: ResultSite) => number {
  // Sites come message by message, so the characters of one are added up once.
  let known: { readonly slot: Slot; readonly chars: number } | undefined;
  return ({ slot, part }) => {
    const { parts } = slot.message;
    if (parts.length === 1) return slot.tokens;
    if (known?.slot !== slot) known = { slot, chars: parts.reduce((sum, one) => sum + partText(one).length, 0) };
    return known.chars === 0 ? slot.tokens / parts.length : (slot.tokens * partText(part).length) / known.chars;
  };
}
