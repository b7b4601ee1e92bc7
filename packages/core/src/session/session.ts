import { CompactionError } from '../errors.ts';
import { asNumber, isFields } from '../json.ts';
import type { MessageId, NewMessage } from '../message/message.ts';
import { halveTokens } from '../size/beside-overhead.ts';
import { forceBudget } from '../size/budget.ts';
import { readUsage } from '../size/meter.ts';
import type { Usage } from '../size/usage.ts';
import { recallOf } from '../view/recall.ts';
import { type Receipt, receiptOf } from '../view/receipt.ts';
import { standingWalks } from '../view/record-entry.ts';
import { statusOf } from '../view/status.ts';
import { appendMessage } from '../view/view-state.ts';
import { measureOverhead } from '../walk/overhead.ts';
import { budgetNow, pauseReason, readBudget, readOverhead } from './circumstances-now.ts';
import { makeView } from './make-view.ts';
import { blockedError, makeSmallerView } from './overflow.ts';
import { revertNewest } from './revert-walk.ts';
import {
  checkCompactOptions,
  checkOverflowOptions,
  checkSessionOptions,
  checkSettledOptions,
  checkSnipOptions,
  checkViewOptions,
} from './session-rules.ts';
import {
  isStated,
  loadRecords,
  measureNow,
  newSessionState,
  noteEntry,
  type SessionState,
  stateOnly,
} from './session-state.ts';
import type { CompactRequest, Session, SessionOptions, View, ViewStatement } from './session-types.ts';
import { snipNow } from './snip.ts';
import { newSummaryAhead, type SummaryAhead } from './summary-ahead.ts';
import { switchModel } from './switch-model.ts';
import { newWorkQueue } from './work-queue.ts';

/** A conversation kept within its window. `window` is enough to begin; a `journal` lets it outlive the process. */
export function createSession(options: SessionOptions): Session {
  checkSessionOptions(options ?? {});
  const session = newSessionState(options ?? {});
  loadRecords(session, options.records ?? []);
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
    compact: (request = {}) => queue.add(() => compactNow(session, ahead, request), request?.signal),
    snip: (wanted = {}) =>
      queue.add(async () => {
        checkSnipOptions(wanted);
        for (const id of [wanted.from, wanted.to]) if (id !== undefined) requireMessage(session, id);
        return snipNow(session, ahead, wanted);
      }, wanted?.signal),
    switchTo: (next) => queue.add(() => switchModel(session, ahead, next), next?.signal),
    undo() {
      if (queue.isBusy) throw new CompactionError('busy', 'undo() has to wait: a view is being made. Await it first.');
      return revertNewest(session, ahead);
    },
    pin: (id) => noteEntry(session, { type: 'pin', message: requireMessage(session, id) }),
    unpin: (id) => noteEntry(session, { type: 'unpin', message: requireMessage(session, id) }),
    status: () => {
      const [tokens, overhead] = [measureNow(session), readOverhead(session)];
      return statusOf(view, tokens, session.overhead.bytes, readBudget(session), overhead, pauseReason(session));
    },
    receipts: () => standingWalks(view.entries).map((entries) => receiptOf(entries, session.originals)),
    ledger: () => ({ version: 1, entries: view.entries.slice() }),
    transcript: () => view.transcript.slice(),
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
  session.journal.write({ v: 1, type: 'message', message: kept });
  if (problems.length > 0) session.emit({ type: 'history-mended', problems });
  return kept.id;
}

async function viewNow(session: SessionState, ahead: SummaryAhead, said: ViewStatement): Promise<View> {
  checkViewOptions(said);
  const { now, signal, ...stated } = said;
  if (isStated(stated)) {
    session.stated = { ...session.stated, ...stateOnly(stated) };
    session.overhead = measureOverhead(session.stated);
  }
  const { budget } = session;
  if (pauseReason(session) === 'off' && budget.enabled && measureNow(session) >= budget.blocking)
    throw blockedError(session);
  return makeView(session, ahead, { budget: budgetNow(session), trigger: 'auto', now, signal });
}

function observe(session: SessionState, reported: Usage | undefined): void {
  // A host that passes on what a provider did not send reports nothing.
  const usage = reported ?? {};
  const { view, sentEstimate, budget, stated } = session;
  const reading = readUsage(view.meter, usage, sentEstimate, budget, isStated(stated));
  if (reading.type === 'accepted') {
    session.overflows = 0;
    noteEntry(session, { type: 'usage', usage: keepNumbers(usage), meter: reading.meter });
  } else {
    session.emit({ type: 'usage-ignored', usage, fault: reading.fault });
    noteEntry(session, { type: 'usage', usage: keepNumbers(usage), ignored: reading.fault });
  }
}

/** What a ledger can hold of a report. */
function keepNumbers({ compaction, ...usage }: Usage): Usage {
  const numbers = Object.entries(usage).filter(([, value]) => asNumber(value) !== undefined);
  return { ...Object.fromEntries(numbers), ...(isFields(compaction) ? { compaction: keepNumbers(compaction) } : {}) };
}

async function compactNow(
  session: SessionState,
  ahead: SummaryAhead,
  request: CompactRequest,
): Promise<Receipt | undefined> {
  checkCompactOptions(request);
  const { trigger = 'manual', now, signal, ...asked } = request;
  const budget = readBudget(session);
  if (!budget.enabled)
    throw new CompactionError('disabled', 'compaction is switched off (PALIMPSEST_DISABLE); switch it on first.');
  if (session.view.base.length === 0)
    throw new CompactionError('nothing-to-compact', 'there are no messages yet: nothing can be compacted.');
  const target = Math.min(budget.target, halveTokens(measureNow(session), budget));
  const walkBudget = { ...forceBudget(budget, target), floorFrom: budget.trigger };
  return (await makeView(session, ahead, { budget: walkBudget, trigger, asked, now, signal, handsOut: false })).receipt;
}

function requireMessage(session: SessionState, id: MessageId): MessageId {
  if (session.view.places.has(id)) return id;
  throw new CompactionError('unknown-message', `no message "${id}" is in this session.`, { messageId: id });
}
