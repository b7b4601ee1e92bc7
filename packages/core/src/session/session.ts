import { CompactionError } from '../errors.ts';
import { asNumber, isFields } from '../json.ts';
import { keepAmounts } from '../ledger/totals.ts';
import type { MessageId, NewMessage } from '../message/message.ts';
import type { SearchOptions } from '../search/find-passages.ts';
import type { Found } from '../search/show-passage.ts';
import { costOfUsage } from '../size/cost.ts';
import { readUsage, sizeOf } from '../size/meter.ts';
import type { Usage } from '../size/usage.ts';
import { dropDoubted, testRefused } from '../size/window-clues.ts';
import { readSummary } from '../view/read-summary.ts';
import { recallOf } from '../view/recall.ts';
import { receiptOf } from '../view/receipt.ts';
import { standingWalks } from '../view/record-entry.ts';
import { searchTranscripts } from '../view/search-transcript.ts';
import { statusOf } from '../view/status.ts';
import { appendMessage } from '../view/view-state.ts';
import { budgetNow, pauseReason, readBudget, readOverhead } from './circumstances-now.ts';
import { compactSession } from './compact-session.ts';
import { editSummary } from './edit-summary.ts';
import { takeBeginning } from './fork-session.ts';
import { writeHandoff } from './handoff.ts';
import { noteClues, noteTaken, readStatedWindow, renewBudget } from './learn-window.ts';
import { makeView } from './make-view.ts';
import { blockedError, makeSmallerView } from './overflow.ts';
import { previewCompaction } from './preview.ts';
import { revertNewest } from './revert-walk.ts';
import {
  checkOverflowOptions,
  checkSessionOptions,
  checkSettledOptions,
  checkSnipOptions,
  checkViewOptions,
  checkWords,
} from './session-rules.ts';
import {
  findMissingNow,
  isStated,
  loadRecords,
  measureNow,
  newSessionState,
  noteEntry,
  readTotals,
  type SessionState,
  stateOverhead,
} from './session-state.ts';
import type { ForkOptions, Session, SessionOptions, View, ViewStatement } from './session-types.ts';
import { snipNow } from './snip.ts';
import { newSummaryAhead, type SummaryAhead } from './summary-ahead.ts';
import { switchModel } from './switch-model.ts';
import { newWorkQueue } from './work-queue.ts';

/** A conversation kept within its window. `window` is enough to begin; a `journal` lets it outlive the process. */
export function createSession(options: SessionOptions): Session {
  const stated = options ?? {};
  checkSessionOptions(stated);
  const session = newSessionState(stated);
  loadRecords(session, stated.records ?? []);
  return openSession(session);
}

/** How many lines the digests of a session have read off its transcript so far; what they read is held with it. */
export function countEvidence(session: Session): number {
  return states.get(session)?.reading?.digest?.lines.all.size ?? 0;
}

/**
 * As `recall.search` of one: passages of several sessions in one order, as if they were one transcript. Of equals that of the first
 * session comes first, and what several of them have is told once.
 */
export function searchSessions(
  sessions: readonly Session[],
  query: string,
  options?: number | SearchOptions,
): readonly Found[] {
  const views = sessions.map((session) => {
    const state = states.get(session);
    if (state === undefined)
      throw new CompactionError('bad-option', 'searchSessions() needs sessions of this library.');
    return state.view;
  });
  return searchTranscripts(views, query, options);
}

const states = new WeakMap<Session, SessionState>();

/** A session of its own out of another's beginning, all of which goes into its journal. */
function forkSession(from: SessionState, upTo: MessageId | undefined, own: ForkOptions): Session {
  const { options, records } = takeBeginning(from, upTo, own);
  checkSessionOptions(options);
  const session = newSessionState(options);
  loadRecords(session, records);
  if (own.window === undefined) session.clues = from.clues;
  renewBudget(session);
  for (const record of records) session.journal.write(record);
  return openSession(session);
}

function openSession(state: SessionState): Session {
  const session = giveMethods(state);
  states.set(session, state);
  return session;
}

function giveMethods(session: SessionState): Session {
  const { options } = session;
  const { view } = session;
  for (const ignored of options.switches?.ignored ?? []) session.emit({ type: 'switch-ignored', ...ignored });
  const ahead = newSummaryAhead(session);
  const queue = newWorkQueue();
  return {
    append: (message) => append(session, message),
    view: (said = {}) => queue.add(() => viewNow(session, ahead, said), said?.signal),
    observe: (usage) => observe(session, usage),
    overflowed: (refusal = {}, viewOptions = {}) =>
      queue.add(async () => {
        checkOverflowOptions(viewOptions);
        return makeSmallerView(session, ahead, refusal, viewOptions);
      }, viewOptions?.signal),
    compact: (request = {}) => queue.add(() => compactSession(session, ahead, request), request?.signal),
    preview: (request = {}) => queue.add(() => previewCompaction(session, request), request?.signal),
    snip: (wanted = {}) =>
      queue.add(async () => {
        checkSnipOptions(wanted);
        for (const id of [wanted.from, wanted.to]) if (id !== undefined) requireMessage(session, id);
        return snipNow(session, ahead, wanted);
      }, wanted?.signal),
    switchTo: (next) => queue.add(() => switchModel(session, ahead, next), next?.signal),
    undo(walk) {
      if (queue.isBusy) throw new CompactionError('busy', 'undo() has to wait: a view is being made. Await it first.');
      return revertNewest(session, ahead, walk);
    },
    pin: (id) => noteEntry(session, { type: 'pin', message: requireMessage(session, id) }),
    unpin: (id) => noteEntry(session, { type: 'unpin', message: requireMessage(session, id) }),
    status: () => {
      const [tokens, overhead] = [measureNow(session), readOverhead(session)];
      const budget = readBudget(session);
      return statusOf(
        view,
        tokens,
        session.overhead.bytes,
        budget,
        overhead,
        pauseReason(session),
        findMissingNow(session),
      );
    },
    totals: () => readTotals(session),
    summary: () => readSummary(view),
    editSummary: (words) =>
      queue.add(async () => {
        checkWords('editSummary()', words);
        return editSummary(session, ahead, words);
      }, undefined),
    handoff: (wanted = {}) => writeHandoff(view.transcript, readSummary(view)?.narrative, wanted, session.countText),
    receipts: () => standingWalks(view.entries).map((entries) => receiptOf(entries, session.originals)),
    ledger: () => ({ version: 1, entries: view.entries.slice() }),
    transcript: () => view.transcript.slice(),
    fork: (upTo, own = {}) => forkSession(session, upTo, own),
    saved: () => session.journal.saveAll(),
    async settled(options = {}) {
      checkSettledOptions(options);
      while (ahead.underWay !== undefined) await ahead.awaitDraft(options.signal);
    },
    recall: recallOf(view),
  };
}

function append(session: SessionState, message: NewMessage): MessageId {
  const { kept, problems } = appendMessage(session.view, message, session.options.broken);
  // The provider took the view, or the user asks anew: the next refusal is about another request.
  if (kept.role === 'assistant' || kept.origin === 'human') session.overflows = 0;
  if (kept.role === 'assistant') noteAnswered(session);
  else if (kept.origin === 'human') noteClues(session, dropDoubted(session.clues));
  session.journal.write({ v: 1, type: 'message', message: kept });
  if (problems.length > 0) session.emit({ type: 'history-mended', problems });
  return kept.id;
}

/** Whoever answers has taken the newest view, as it is counted now. Clients tell of failures in the model's name too. */
function noteAnswered(session: SessionState): void {
  if (!session.isRefused) noteTaken(session, sizeOf(session.view.meter, session.sentEstimate));
}

async function viewNow(session: SessionState, ahead: SummaryAhead, said: ViewStatement): Promise<View> {
  checkViewOptions(said);
  const { now, signal, ...stated } = said;
  stateOverhead(session, stated);
  noteClues(session, testRefused(session.clues, measureNow(session)));
  const { budget } = session;
  if (pauseReason(session) === 'off' && budget.enabled && measureNow(session) >= budget.blocking)
    throw blockedError(session);
  return makeView(session, ahead, { budget: budgetNow(session), trigger: 'auto', now, signal });
}

function observe(session: SessionState, reported: Usage | undefined): void {
  // A host that passes on what a provider did not send reports nothing.
  const usage = reported ?? {};
  const { view, sentEstimate, stated } = session;
  const window = readStatedWindow(session);
  const reading = readUsage(view.meter, usage, sentEstimate, window, isStated(stated));
  const kept = keepNumbers(usage);
  const cost = session.prices === undefined ? {} : { cost: costOfUsage(keepAmounts(kept), session.prices) };
  if (reading.type === 'accepted') {
    session.overflows = 0;
    noteEntry(session, { type: 'usage', usage: kept, meter: reading.meter, ...cost });
    noteTaken(session, reading.tokens);
  } else {
    session.emit({ type: 'usage-ignored', usage, fault: reading.fault });
    noteEntry(session, { type: 'usage', usage: kept, ignored: reading.fault, ...cost });
  }
}

/** What a ledger can hold of a report. */
function keepNumbers({ compaction, ...usage }: Usage): Usage {
  const numbers = Object.entries(usage).filter(([, value]) => asNumber(value) !== undefined);
  return { ...Object.fromEntries(numbers), ...(isFields(compaction) ? { compaction: keepNumbers(compaction) } : {}) };
}

function requireMessage(session: SessionState, id: MessageId): MessageId {
  if (session.view.places.has(id)) return id;
  throw new CompactionError('unknown-message', `no message "${id}" is in this session.`, { messageId: id });
}
