import type { EditsEntry, Fact, Trigger } from '../ledger/ledger.ts';
import { isCrowded } from '../size/beside-overhead.ts';
import type { Budget } from '../size/budget.ts';
import type { Asked } from '../view/circumstances.ts';
import { type Receipt, receiptOf } from '../view/receipt.ts';
import { recordWalk } from '../view/record-entry.ts';
import { messagesToSend, newestTime } from '../view/view-state.ts';
import { fitsBudget } from '../walk/pressure.ts';
import { type Walk, walk } from '../walk/walk.ts';
import { hearAfterHook } from './after-hook.ts';
import {
  budgetNow,
  layersNow,
  MOST_FAILURES,
  readBudget,
  readOverhead,
  stateCircumstances,
} from './circumstances-now.ts';
import { estimateNow, measureNow, noteEntry, type SessionState } from './session-state.ts';
import type { View, ViewOptions } from './session-types.ts';
import { settleNeeds } from './settle.ts';
import type { SummaryAhead } from './summary-ahead.ts';

/** Why a view is made, and within what. */
export interface ViewRequest extends ViewOptions {
  readonly budget: Budget;
  readonly trigger: Trigger;
  readonly asked?: Asked;
}

/** Walks until nothing is needed, records what was decided, and hands the view out. Every view of a session is made here. */
export async function makeView(session: SessionState, ahead: SummaryAhead, request: ViewRequest): Promise<View> {
  const { budget, trigger, asked = {}, now, signal } = request;
  // What the view is held against, also where the walk is forced further down; its outcome may end a pause.
  const own = budgetNow(session);
  // A draft that is nearly there beats a summary that is asked for anew.
  if (ahead.underWay !== undefined && measureNow(session) >= budget.trigger && trigger === 'auto') await ahead.underWay;
  const events = tellCompaction(session, trigger);
  try {
    const make = (facts: ReadonlyMap<string, Fact>): Walk => {
      const given = stateCircumstances(session, budget, trigger, asked, now);
      const made = walk(session.view, layersNow(session), { ...given, facts }, session.reading);
      session.reading = made.reading;
      return made;
    };
    const { made, facts } = await settleNeeds(make, session.ports, {
      signal,
      countText: session.countText,
      onWait: (needs) => needs.some((need) => need.type !== 'stash') && events.start(),
    });
    noteFacts(session, facts);
    if (made.entries.some((entry) => entry.pressed)) events.start();
    const receipt = await commitWalk(session, made.entries, signal);
    const vetoed = [...facts.values()].some((fact) => fact.type === 'hooked' && fact.veto !== undefined);
    events.end(receipt !== undefined ? 'done' : vetoed ? 'vetoed' : 'nothing-gained');
    return await handOut(session, ahead, made, own, now);
  } catch (error) {
    events.end(signal?.aborted === true ? 'aborted' : 'failed');
    throw error;
  }
}

type Outcome = 'done' | 'nothing-gained' | 'vetoed' | 'aborted' | 'failed';

/** Tells of a compaction that it started, once, and how it ended, where it had started. */
function tellCompaction({ emit }: SessionState, trigger: Trigger) {
  let started = false;
  return {
    start(): void {
      if (!started) emit({ type: 'compaction-started', trigger });
      started = true;
    },
    end(outcome: Outcome): void {
      if (started) emit({ type: 'compaction-ended', trigger, outcome });
    },
  };
}

function noteFacts(session: SessionState, facts: ReadonlyMap<string, Fact>): void {
  const { emit } = session;
  for (const fact of facts.values()) {
    if (fact.type === 'hooked' && fact.message !== undefined) emit({ type: 'hook-spoke', message: fact.message });
    if (fact.type !== 'failed') continue;
    noteEntry(session, { type: 'fact', fact });
    emit({ type: 'need-failed', need: fact.need, key: fact.key, code: fact.code, why: fact.why });
    if (session.view.failures === MOST_FAILURES) emit({ type: 'automatic-stopped', reason: 'summarizer-failed' });
  }
}

/** Records what a walk decided, as one. */
async function commitWalk(
  session: SessionState,
  [first, ...others]: readonly EditsEntry[],
  signal: AbortSignal | undefined,
): Promise<Receipt | undefined> {
  if (first === undefined) return undefined;
  signal?.throwIfAborted();
  const { view, emit, ports } = session;
  const entries = [first, ...others] as const;
  const before = view.ineffective;
  recordWalk(view, entries);
  session.untold = [...session.untold, ...entries];
  for (const entry of entries) session.journal.write({ v: 1, type: 'entry', entry });
  if (ports.hooks?.after !== undefined && entries.some(isSummary)) await hearAfterHook(session, ports.hooks, entries);
  const receipt = receiptOf(entries, session.originals);
  emit({ type: 'view-compacted', receipt });
  if (before < 2 && view.ineffective >= 2) emit({ type: 'automatic-stopped', reason: 'ineffective' });
  return receipt;
}

const isSummary = ({ edits }: EditsEntry): boolean =>
  edits.some((edit) => edit.type === 'fold' && edit.summary?.of === 'history');

/** The view as the model gets it, once everything that it rests on is in the journal. */
async function handOut(
  session: SessionState,
  ahead: SummaryAhead,
  made: Walk,
  own: Budget,
  now: number | undefined,
): Promise<View> {
  const { view, emit } = session;
  session.sentAt = now ?? newestTime(view) ?? session.sentAt;
  const at = session.sentAt === undefined ? {} : { at: session.sentAt };
  if (view.seen < view.base.length) noteEntry(session, { type: 'seen', count: view.base.length, ...at });
  session.sentEstimate = estimateNow(session);
  await session.journal.saveAll();
  const tokens = measureNow(session);
  const fits = fitsNow(session, tokens, own);
  const receipt = takeReceipt(session);
  emit({ type: 'view-made', tokens, fits, visits: made.visits });
  ahead.prepare(tokens, now);
  const messages = messagesToSend(view, view.slots);
  const maxOutput = Math.max(1, Math.min(session.budgetOptions.maxOutput ?? Infinity, session.budget.window - tokens));
  return { messages, tokens, fits, native: made.native, maxOutput, ...(receipt === undefined ? {} : { receipt }) };
}

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
