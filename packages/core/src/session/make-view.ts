import type { EditsEntry, Fact, Trigger } from '../ledger/ledger.ts';
import { isCrowded } from '../size/beside-overhead.ts';
import type { Budget } from '../size/budget.ts';
import type { Asked, Circumstances } from '../view/circumstances.ts';
import type { Layer } from '../view/look.ts';
import { type Receipt, receiptOf } from '../view/receipt.ts';
import type { SlotList } from '../view/slot-list.ts';
import { isHandedOut, messagesToSend, newestTime } from '../view/view-state.ts';
import { fitsBudget } from '../walk/pressure.ts';
import { type Walk, walk } from '../walk/walk.ts';
import { hearAfterHook } from './after-hook.ts';
import { budgetNow, layersNow, readBudget, readOverhead, stateCircumstances } from './circumstances-now.ts';
import { readStatedWindow } from './learn-window.ts';
import { noteFacts } from './note-facts.ts';
import {
  estimateNow,
  findMissingNow,
  measureNow,
  noteEntry,
  type SessionState,
  waysToSettle,
} from './session-state.ts';
import type { View, ViewOptions } from './session-types.ts';
import { settleNeeds } from './settle.ts';
import type { SummaryAhead } from './summary-ahead.ts';
import { walkSession } from './walk-session.ts';

/** Why a view is made, and within what. */
export interface ViewRequest extends ViewOptions {
  readonly budget: Budget;
  readonly trigger: Trigger;
  readonly asked?: Asked;
  /** False where nobody gets the view: the next answer is still made behind the one before. */
  readonly handsOut?: boolean;
  /** Walked instead of the session's own layers. */
  readonly layers?: readonly Layer[];
}

/** Walks until nothing is needed, records what was decided, and hands the view out. Every view of a session is made here. */
export async function makeView(session: SessionState, ahead: SummaryAhead, request: ViewRequest): Promise<View> {
  const { budget, trigger, asked = {}, now, signal, layers = layersNow(session) } = request;
  // What the view is held against, also where the walk is forced further down; its outcome may end a pause.
  const own = budgetNow(session);
  const events = tellCompaction(session, trigger);
  try {
    // A draft that is nearly there beats a summary that is asked for anew. Whoever waits for it is told why.
    if (ahead.underWay !== undefined && measureNow(session) >= budget.trigger && trigger === 'auto') {
      events.start();
      await ahead.awaitDraft(signal);
    }
    const stateNow = (): Circumstances => stateCircumstances(session, budget, trigger, asked, now);
    const make = (facts: ReadonlyMap<string, Fact>): Walk => walkSession(session, layers, { ...stateNow(), facts });
    const { made, facts } = await settleNeeds(make, session.ports, {
      ...waysToSettle(session),
      signal,
      onWait: (needs) => needs.some((need) => need.type !== 'stash') && events.start(),
    });
    signal?.throwIfAborted();
    noteFacts(session, [...facts.values()], made.entries);
    if (made.entries.some((entry) => entry.pressed)) events.start();
    const count = session.view.base.length;
    const isDone = commitWalk(session, made.entries, isOfNow(session, made) ? made.view : undefined) !== undefined;
    const vetoed = [...facts.values()].some((fact) => fact.type === 'hooked' && fact.veto !== undefined);
    try {
      await hearAfterHook(session, made.entries, signal);
    } finally {
      events.end(isDone ? 'done' : vetoed ? 'vetoed' : 'nothing-gained');
    }
    // What was said while a hook was heard no layer has seen; an answer among it was made behind an earlier view.
    if (session.view.base.length > count)
      for (const entry of walk(session.view, [], stateNow()).entries) noteEntry(session, entry);
    return await handOut(session, ahead, made, own, request);
  } catch (error) {
    events.end(signal?.aborted === true ? 'aborted' : 'failed');
    throw error;
  }
}

type Outcome = 'done' | 'nothing-gained' | 'vetoed' | 'aborted' | 'failed';

/** Tells of a compaction that it started, and how it ended, where it had started: each once, whatever goes wrong behind it. */
function tellCompaction({ emit }: SessionState, trigger: Trigger) {
  let started = false;
  let ended = false;
  return {
    start(): void {
      if (!started) emit({ type: 'compaction-started', trigger });
      started = true;
    },
    end(outcome: Outcome): void {
      if (started && !ended) emit({ type: 'compaction-ended', trigger, outcome });
      ended = true;
    },
  };
}

/** Whether the view that a walk began with still stands as it was. */
const isOfNow = ({ view }: SessionState, { from }: Walk): boolean =>
  view.slots === from.slots && view.slots.length === from.length;

/** Records what a walk decided, as one and without waiting; `made` is the view that it left. Undefined: it decided nothing. */
export function commitWalk(
  session: SessionState,
  [first, ...others]: readonly EditsEntry[],
  made?: SlotList,
): Receipt | undefined {
  if (first === undefined) return undefined;
  const { view, emit } = session;
  const entries = [first, ...others] as const;
  const before = view.ineffective;
  for (const [i, entry] of entries.entries()) noteEntry(session, entry, i === others.length ? made : undefined);
  session.untold = [...session.untold, ...entries];
  const receipt = receiptOf(entries, session.originals);
  emit({ type: 'view-compacted', receipt });
  if (before < 2 && view.ineffective >= 2) emit({ type: 'automatic-stopped', reason: 'ineffective' });
  return receipt;
}

/**
 * The view as the model gets it, once everything that it rests on is in the journal. What is said meanwhile belongs to the
 * next one.
 */
async function handOut(
  session: SessionState,
  ahead: SummaryAhead,
  made: Walk,
  own: Budget,
  request: ViewRequest,
): Promise<View> {
  const { view, emit } = session;
  const { now, signal, handsOut = true } = request;
  noteHandOut(session, now, handsOut);
  const tokens = measureNow(session);
  const messages = messagesToSend(view, view.slots);
  const fits = fitsNow(session, tokens, own);
  const missing = findMissingNow(session);
  await session.journal.saveAll(signal);
  const receipt = takeReceipt(session);
  const { trigger, effective } = readBudget(session);
  emit({ type: 'view-made', tokens, fits, trigger, effective, visits: made.visits });
  ahead.prepare(tokens, now);
  const maxOutput = leaveForAnswer(session, tokens);
  return {
    messages,
    tokens,
    fits,
    native: made.native,
    maxOutput,
    ...(receipt === undefined ? {} : { receipt }),
    ...(missing === undefined ? {} : { missing }),
  };
}

/**
 * The most that may be asked for as an answer beside a view of so many tokens. What is only inferred of the window takes
 * nothing from it: a view that cannot be made smaller would get no answer at all.
 */
export const leaveForAnswer = (session: SessionState, tokens: number): number =>
  Math.max(1, Math.min(session.budgetOptions.maxOutput ?? Infinity, readStatedWindow(session) - tokens));

/** Whether the view is within the session's own budget: one that a compaction was forced down to says nothing about that. */
function fitsNow(session: SessionState, tokens: number, own: Budget): boolean {
  const budget = readBudget(session);
  const crowded = isCrowded(budget);
  if (crowded && !session.crowdTold)
    session.emit({ type: 'automatic-stopped', reason: 'overhead', overhead: readOverhead(session) });
  session.crowdTold = crowded;
  if (crowded || tokens > Math.max(budget.trigger, budget.blocking)) return false;
  return fitsBudget({ view: session.view, tokens, given: { budget: own, overhead: session.overhead } });
}

/** What was hidden since the last view that was handed out. A save that failed in between takes nothing from it. */
function takeReceipt(session: SessionState): Receipt | undefined {
  const [first, ...others] = session.untold;
  session.untold = [];
  return first === undefined ? undefined : receiptOf([first, ...others], session.originals);
}

/** Into the ledger, wherever it differs from what the ledger says of the view before. */
function noteHandOut(session: SessionState, now: number | undefined, handsOut: boolean): void {
  const { view, sentAt } = session;
  session.sentAt = now ?? newestTime(view) ?? sentAt;
  const isNews = view.seen < view.base.length || session.sentAt !== sentAt || (handsOut && !isHandedOut(view));
  const at = session.sentAt === undefined ? {} : { at: session.sentAt };
  const kept = handsOut ? {} : ({ handedOut: false } as const);
  if (isNews) noteEntry(session, { type: 'seen', count: view.base.length, ...at, ...kept });
  if (!handsOut) return;
  session.sentEstimate = estimateNow(session);
  session.isRefused = false;
}
