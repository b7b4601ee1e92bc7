import { CompactionError } from '../errors.ts';
import { explainNothing, type SnipLook, snipAsked } from '../layers/snip-asked.ts';
import { liftTrigger } from '../size/budget.ts';
import { type Receipt, receiptOf } from '../view/receipt.ts';
import { standingWalks } from '../view/record-entry.ts';
import { readBudget } from './circumstances-now.ts';
import { makeView } from './make-view.ts';
import type { SessionState } from './session-state.ts';
import type { SnipOptions } from './session-types.ts';
import type { SummaryAhead } from './summary-ahead.ts';

/** Hides the middle that was asked for, and nothing else: the walk has this one layer, and no limit presses it. */
export async function snipNow(session: SessionState, ahead: SummaryAhead, options: SnipOptions): Promise<Receipt> {
  const { trigger = 'tool', now, signal, ...request } = options;
  const { view } = session;
  const budget = readBudget(session);
  if (!budget.enabled)
    throw new CompactionError('disabled', 'compaction is switched off (PALIMPSEST_DISABLE); switch it on first.');
  if (session.options.subagent === true) throw nothingToSnip('this is a subagent, whose conversation is never snipped');
  const unpressed = { ...liftTrigger(budget), limits: {} };
  const layers = [snipAsked(request)];
  const before = view.walks;
  await makeView(session, ahead, { budget: unpressed, trigger, now, signal, layers, handsOut: false });
  const made = standingWalks(view.entries).findLast(([{ walk }]) => walk > before);
  // A walk may have done nothing but drop reasoning that something earlier unbound.
  if (made === undefined || made.every((entry) => entry.unbinds === true))
    throw nothingToSnip(explainNothing(lookNow(session), request));
  return receiptOf(made, session.originals);
}

const lookNow = ({ view }: SessionState): SnipLook => ({
  slots: view.slots,
  hasOpenCalls: view.gate.open.size > 0,
  placeOf: (id) => view.places.get(id),
});

const nothingToSnip = (why: string): CompactionError =>
  new CompactionError('nothing-to-snip', `nothing can be snipped: ${why}.`);
