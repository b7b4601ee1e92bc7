import type { Budget } from '../size/budget.ts';
import { voidBase } from '../size/meter.ts';
import { noClues } from '../size/window-clues.ts';
import { computeView, revertibleWalks, type WalkEntries } from '../view/record-entry.ts';
import { measureRequest } from '../walk/look-at.ts';
import { fitsBudget } from '../walk/pressure.ts';
import { budgetNow, readBudget } from './circumstances-now.ts';
import { renewBudget } from './learn-window.ts';
import { makeView } from './make-view.ts';
import { revertWalk } from './revert-walk.ts';
import { checkSwitchOptions } from './session-rules.ts';
import { type SessionState, stateOnly, stateOverhead } from './session-state.ts';
import type { SwitchOptions, View } from './session-types.ts';
import type { SummaryAhead } from './summary-ahead.ts';

/** Another model, or other layers: what it need not hide comes back, what it cannot hold is compacted, and all else stays as it is. */
export async function switchModel(session: SessionState, ahead: SummaryAhead, next: SwitchOptions): Promise<View> {
  checkSwitchOptions(next);
  const { wire, layers, prices, now, signal, system, tools, canRecall, ...budgetOptions } = next;
  stateOverhead(session, stateOnly({ system, tools, canRecall }));
  // Stated windows are compared: what refusals hid would come back for every other model, and be refused by this one each time.
  session.clues = noClues;
  renewBudget(session);
  const { trigger } = session.budget;
  session.budgetOptions = { ...session.budgetOptions, ...stateOnly(budgetOptions) };
  session.wire = wire ?? session.wire;
  session.layers = layers ?? session.layers;
  session.prices = prices ?? session.prices;
  renewBudget(session);
  // Layers that count otherwise make no window larger.
  if (layers === undefined && session.budget.trigger > trigger)
    for (const walk of findNeedless(session)) revertWalk(session, ahead, walk, 'switch');
  return makeView(session, ahead, { budget: budgetNow(session), trigger: 'switch', now, signal });
}

/** The walks, newest first, without which the view still has room in the larger window. Looks, and takes none back. */
function findNeedless(session: SessionState): readonly WalkEntries[] {
  const { view } = session;
  const wasSwitched = view.entries.some((entry) => entry.type === 'revert' && entry.by === 'switch');
  const needless: WalkEntries[] = [];
  for (const walk of revertibleWalks(view.entries).toReversed()) {
    // Came back for a larger model once, and a smaller one hid it again: between those two it stays hidden.
    if (wasSwitched && walk[0].trigger === 'switch') break;
    if (!hasRoomWithout(session, new Set([...needless, walk].map(([entry]) => entry.walk)))) break;
    needless.push(walk);
  }
  return needless;
}

/** Halfway between target and trigger at most: a view that comes back only to be compacted again soon is paid for twice. */
const roomyTrigger = ({ trigger, target }: Budget): number => Math.min(trigger - 1, Math.floor((trigger + target) / 2));

function hasRoomWithout(session: SessionState, walks: ReadonlySet<number>): boolean {
  const { view, overhead } = session;
  const { ceiling: _, ...budget } = readBudget(session);
  const list = computeView(view, walks);
  const tokens = measureRequest({ ...view, meter: voidBase(view.meter) }, list, overhead.tokens);
  return fitsBudget({ view: list, tokens, given: { budget: { ...budget, trigger: roomyTrigger(budget) }, overhead } });
}
