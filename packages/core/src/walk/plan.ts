import { allow, checkOptions, type OptionRules } from '../check-options.ts';
import { type Entry, emptyLedger, type Ledger } from '../ledger/ledger.ts';
import type { Message, NewMessage } from '../message/message.ts';
import { defaultPreset } from '../presets/default.ts';
import { findRules } from '../presets/find-rules.ts';
import { deferTrigger, isCrowded } from '../size/beside-overhead.ts';
import { DEFAULT_PRICES } from '../size/cost.ts';
import { estimateMessage } from '../size/estimate-message.ts';
import { completeCircumstances, type StatedCircumstances } from '../view/circumstances.ts';
import type { Layer } from '../view/look.ts';
import type { NativeEdit, Need } from '../view/need.ts';
import type { Count } from '../view/slot.ts';
import { isHandedOut, messagesToSend, newestTime, type ViewState } from '../view/view-state.ts';
import { checkLayers } from './check-layers.ts';
import { loadState } from './load-state.ts';
import { computeBudget, measureOverhead, type Overhead } from './overhead.ts';
import { readRecall } from './tell-recall.ts';
import { type Visit, type Walk, walk } from './walk.ts';

/** Only `budget` is needed. What a session finds out by itself (time, facts, what can be asked for) is stated here as data. */
export interface PlanOptions extends Overhead, Omit<StatedCircumstances, 'overhead'> {
  /** `presets.default()` by default. */
  readonly layers?: readonly Layer[] | undefined;
  /** Tokens of a message; the embedded estimate by default. */
  readonly count?: Count | undefined;
  /** Histories that are broken are mended instead of refused. False by default. */
  readonly lenient?: boolean | undefined;
}

/** The outcome of a walk: what to send, and the ledger to plan with the next time. */
export interface Plan {
  readonly view: readonly Message[];
  /** Of the whole request, with system prompt and tools. */
  readonly tokens: number;
  /** Within the trigger and all limits. */
  readonly fits: boolean;
  /** With what this walk decided; while there are needs, as it was. */
  readonly ledger: Ledger;
  /** Not empty: the view is not the answer yet; meet them and plan again with the facts. */
  readonly needs: readonly Need[];
  /** What the wire is to ask the provider for. */
  readonly native: readonly NativeEdit[];
  /** What each layer did, in order. */
  readonly visits: readonly Visit[];
}

/** The rules of `plan()`'s options; `compact()` has the same and more. */
export const planRules: OptionRules<PlanOptions> = {
  budget: {
    allows: (value) => typeof value === 'object' && value !== null && 'effective' in value && 'target' in value,
    words: 'a budget, as budget({ window }) makes it',
  },
  system: allow.string,
  tools: allow.anything,
  layers: allow.list,
  count: allow.function,
  lenient: allow.boolean,
  trigger: allow.oneOf('auto', 'manual', 'overflow', 'tool', 'idle', 'switch'),
  asked: allow.object,
  wire: allow.object,
  compactInstructions: allow.string,
  transcript: allow.string,
  recallTool: allow.string,
  canRecall: allow.boolean,
  keepsUserText: allow.boolean,
  subagent: allow.boolean,
  now: allow.amount,
  cache: allow.object,
  countText: allow.function,
  can: { allows: (value) => value instanceof Set, words: 'a Set of "stash", "summary", "carry" and "hooks"' },
  facts: { allows: (value) => value instanceof Map, words: 'a Map of facts by their keys' },
};

/** One walk over everything: pure. Same transcript, ledger and options, same plan. */
export function plan(transcript: readonly NewMessage[], ledger: Ledger, options: PlanOptions): Plan {
  checkOptions('plan()', options, planRules, ['budget']);
  checkLayers('plan()', options.layers);
  const known = ledger ?? emptyLedger;
  const state = loadState(transcript, known, options.count ?? estimateMessage, options.lenient);
  return planState(state, known, options).plan;
}

/** The plan of a state, which stays as it is. `reading` spares work, as for `walk`. */
export function planState(
  state: ViewState,
  known: Ledger,
  options: PlanOptions,
  reading?: Walk['reading'],
): { readonly plan: Plan; readonly reading: Walk['reading'] } {
  const { layers = defaultPreset(), count: _, lenient: __, system, tools, canRecall, ...stated } = options;
  const overhead = measureOverhead({ system, tools });
  const { keepsUserText = findRules(layers).keepsUserText } = stated;
  const prices = stated.cache?.prices ?? stated.wire?.prices ?? DEFAULT_PRICES;
  const budget = computeBudget(state, stated.budget, overhead.tokens, prices, keepsUserText);
  const given = completeCircumstances({
    ...stated,
    budget: isCrowded(budget) ? deferTrigger(budget) : budget,
    now: stated.now ?? newestTime(state),
    keepsUserText,
    ...readRecall({ tools, canRecall }, stated.recallTool),
    overhead,
  });
  const made = walk(state, layers, given, reading);
  return {
    plan: makePlan(state, known, isCrowded(budget) ? { ...made, fits: false } : made),
    reading: made.reading,
  };
}

function makePlan(state: ViewState, ledger: Ledger, made: Walk): Plan {
  const { tokens, fits, needs, native, visits } = made;
  const view = messagesToSend(state, made.view.slots);
  if (needs.length > 0) return { view, tokens, fits, ledger, needs, native, visits };
  const isNews = made.entries.length > 0 || state.seen !== state.base.length || !isHandedOut(state);
  const seen: Entry[] = isNews ? [{ type: 'seen', count: state.base.length }] : [];
  const entries = [...ledger.entries, ...made.entries, ...seen];
  return { view, tokens, fits, ledger: { version: 1, entries }, needs, native, visits };
}
