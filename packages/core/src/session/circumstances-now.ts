import type { Trigger } from '../ledger/ledger.ts';
import { deferTrigger, isCrowded } from '../size/beside-overhead.ts';
import { type Budget, liftTrigger } from '../size/budget.ts';
import { type CacheState, DEFAULT_PRICES, DEFAULT_REMAINING_CALLS, DEFAULT_TTL_MS, type Prices } from '../size/cost.ts';
import { sizeOf, sizeOfOverhead } from '../size/meter.ts';
import { findCompactInstructions } from '../summary/compact-instructions.ts';
import { type Ability, type Asked, type Circumstances, completeCircumstances } from '../view/circumstances.ts';
import type { Status } from '../view/status.ts';
import { newestTime } from '../view/view-state.ts';
import { computeBudget } from '../walk/overhead.ts';
import { readRecall } from '../walk/tell-recall.ts';
import { abilitiesOf } from './ports.ts';
import { keepsUserText, type SessionState } from './session-state.ts';

/** After so many failures in a row the summarizer is not asked any more by itself; the digest serves. */
export const MOST_FAILURES = 3;

/** The session's budget now; computed once for the same messages, prices and layers. */
export function readBudget(session: SessionState): Budget {
  const { budget, view, overhead, layers } = session;
  const prices = choosePrices(session);
  const from = [budget, overhead, layers, prices, view.meter, view.pace];
  const known = session.budgetCache;
  if (known?.from.every((one, i) => one === from[i])) return known.budget;
  session.budgetCache = { from, budget: computeBudget(view, budget, overhead.tokens, prices, keepsUserText(session)) };
  return session.budgetCache.budget;
}

/** What decides: the model's own prices, else how its vendor usually is paid, else Anthropic's. */
const choosePrices = ({ prices, wire }: SessionState): Prices => prices ?? wire?.prices ?? DEFAULT_PRICES;

/** What is sent besides the messages, part by part, in calibrated tokens; `hidden` is what only the provider's reports tell of. */
export function readOverhead({ view, overhead }: SessionState): Status['overhead'] {
  const { meter } = view;
  const size = (estimate: number): number => sizeOf({ ratio: meter.ratio, hidden: 0 }, estimate);
  return {
    system: size(overhead.system),
    tools: size(overhead.tools),
    hidden: Math.round(meter.hidden),
    tokens: sizeOfOverhead(meter, overhead.tokens),
  };
}

/** Why automatic compaction does not act at the trigger, where it does not. */
export function pauseReason(session: SessionState): Status['paused'] {
  const { budget, view } = session;
  if (!budget.automatic) return 'off';
  if (budget.reactiveOnly) return 'reactive';
  if (isCrowded(readBudget(session))) return 'overhead';
  return view.held ? 'undone' : view.ineffective >= 2 ? 'ineffective' : undefined;
}

/** The budget of an automatic walk: while compaction pauses, the trigger lies further up. */
export function budgetNow(session: SessionState): Budget {
  const budget = readBudget(session);
  const pause = pauseReason(session);
  if (pause === undefined) return budget;
  if (pause === 'off' || pause === 'reactive') return { ...liftTrigger(budget), limits: {}, target: Infinity };
  return deferTrigger(budget);
}

function cacheAt(session: SessionState, now: number | undefined): CacheState {
  const { options, sentAt } = session;
  const age = now === undefined || sentAt === undefined ? undefined : now - sentAt;
  return {
    state: age === undefined ? 'unknown' : age > (options.cacheTtlMs ?? DEFAULT_TTL_MS) ? 'cold' : 'warm',
    prices: choosePrices(session),
    remainingCalls: DEFAULT_REMAINING_CALLS,
  };
}

/** A summarizer that keeps failing is left alone, except where somebody asks for a summary. */
function abilitiesFor({ ports, view }: SessionState, trigger: Trigger): ReadonlySet<Ability> {
  const tired = view.failures >= MOST_FAILURES && trigger !== 'manual';
  return new Set([...abilitiesOf(ports)].filter((ability) => !(tired && ability === 'summary')));
}

/** The circumstances of a walk, stated once; only the facts come later. */
export function stateCircumstances(
  session: SessionState,
  budget: Budget,
  trigger: Trigger,
  asked: Asked,
  stated: number | undefined,
): Circumstances {
  const now = stated ?? newestTime(session.view);
  return completeCircumstances({
    budget,
    trigger,
    asked,
    now,
    wire: session.wire,
    keepsUserText: keepsUserText(session),
    subagent: session.options.subagent,
    compactInstructions: findInstructionsNow(session),
    transcript: session.options.journal?.location,
    ...readRecall(session.stated),
    cache: cacheAt(session, now),
    countText: session.countText,
    can: abilitiesFor(session, trigger),
    overhead: session.overhead,
  });
}

/** What the project wants minded in summaries: as the host states it, or out of the system prompt. */
function findInstructionsNow({ options, stated }: SessionState): string | undefined {
  const { compactInstructions: own } = options;
  if (own !== undefined) return findCompactInstructions(own) ?? own;
  return findCompactInstructions(stated.system ?? '');
}

/** The layers that run: none where compaction is switched off. */
export const layersNow = ({ budget, layers }: SessionState): SessionState['layers'] => (budget.enabled ? layers : []);
