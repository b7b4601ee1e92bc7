import type { EditsEntry, Fact, Trigger } from '../ledger/ledger.ts';
import type { Budget } from '../size/budget.ts';
import type { Asked, Circumstances } from '../view/circumstances.ts';
import { type Receipt, receiptOf } from '../view/receipt.ts';
import { isHandedOut, messagesToSend, newestTime } from '../view/view-state.ts';
import { type Walk, walk } from '../walk/walk.ts';
import { hearAfterHook } from './after-hook.ts';
import { layersNow, MOST_FAILURES, stateCircumstances } from './circumstances-now.ts';
import { estimateNow, measureNow, noteEntry, type SessionState } from './session-state.ts';
import type { View, ViewOptions } from './session-types.ts';
import { settleNeeds } from './settle.ts';
import type { SummaryAhead } from './summary-ahead.ts';

/** Why a view is made, and within what. */
export interface ViewRequest extends ViewOptions {
  readonly budget: Budget;
  readonly trigger: Trigger;
  readonly asked?: Asked;
  /** False where nobody gets the view: the next answer is still made behind the one before. */
  readonly handsOut?: boolean;
}

/** Walks until nothing is needed, records what was decided, and hands the view out. Every view of a session is made here. */
export async function makeView(session: SessionState, ahead: SummaryAhead, request: ViewRequest): Promise<View> {
  const { budget, trigger, asked = {}, now, signal, handsOut = true } = request;
  // A draft that is nearly there beats a summary that is asked for anew.
  if (ahead.underWay !== undefined && measureNow(session) >= budget.trigger && trigger === 'auto') await ahead.underWay;
  const events = tellCompaction(session, trigger);
  try {
    const stateNow = (): Circumstances => stateCircumstances(session, budget, trigger, asked, now);
    const make = (facts: ReadonlyMap<string, Fact>): Walk => {
      const made = walk(session.view, layersNow(session), { ...stateNow(), facts }, session.reading);
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
    const count = session.view.base.length;
    const receipt = await commitWalk(session, made.entries, signal);
    // What was said while a hook was heard no layer has seen; an answer among it was made behind an earlier view.
    if (session.view.base.length > count)
      for (const entry of walk(session.view, [], stateNow()).entries) noteEntry(session, entry);
    const vetoed = [...facts.values()].some((fact) => fact.type === 'hooked' && fact.veto !== undefined);
    events.end(receipt !== undefined ? 'done' : vetoed ? 'vetoed' : 'nothing-gained');
    return await handOut(session, ahead, made, receipt, { now, handsOut });
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
  for (const entry of entries) noteEntry(session, entry);
  if (ports.hooks?.after !== undefined && entries.some(isSummary)) await hearAfterHook(session, ports.hooks, entries);
  const receipt = receiptOf(entries, session.originals);
  emit({ type: 'view-compacted', receipt });
  if (before < 2 && view.ineffective >= 2) emit({ type: 'automatic-stopped', reason: 'ineffective' });
  return receipt;
}

const isSummary = ({ edits }: EditsEntry): boolean =>
  edits.some((edit) => edit.type === 'fold' && edit.summary?.of === 'history');

/**
 * The view as the model gets it, once everything that it rests on is in the journal. What is said meanwhile belongs to the
 * next one.
 */
async function handOut(
  session: SessionState,
  ahead: SummaryAhead,
  made: Walk,
  receipt: Receipt | undefined,
  { now, handsOut }: { readonly now: number | undefined; readonly handsOut: boolean },
): Promise<View> {
  const { view, budget, emit } = session;
  noteHandOut(session, now, handsOut);
  const tokens = measureNow(session);
  const messages = messagesToSend(view, view.slots);
  await session.journal.saveAll();
  const fits = made.fits && tokens <= Math.max(budget.trigger, budget.blocking);
  emit({ type: 'view-made', tokens, fits, visits: made.visits });
  ahead.prepare(tokens, now);
  return { messages, tokens, fits, native: made.native, ...(receipt === undefined ? {} : { receipt }) };
}

/** Into the ledger, wherever it differs from what the ledger says of the view before. */
function noteHandOut(session: SessionState, now: number | undefined, handsOut: boolean): void {
  const { view, sentAt } = session;
  session.sentAt = now ?? newestTime(view) ?? sentAt;
  const isNews = view.seen < view.base.length || session.sentAt !== sentAt || (handsOut && !isHandedOut(view));
  const at = session.sentAt === undefined ? {} : { at: session.sentAt };
  const kept = handsOut ? {} : ({ handedOut: false } as const);
  if (isNews) noteEntry(session, { type: 'seen', count: view.base.length, ...at, ...kept });
  if (handsOut) session.sentEstimate = estimateNow(session);
}
