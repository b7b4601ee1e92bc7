import { makeMessage } from '../../edits/fold-slots.ts';
import type { CarryItem } from '../../ledger/carry.ts';
import type { Edit, FoldEdit, InsertEdit } from '../../ledger/edit.ts';
import type { Message, MessageId } from '../../message/message.ts';
import { attachmentFrame, continueNotice } from '../../notices.ts';
import { targetForMessages } from '../../size/budget.ts';
import type { Look } from '../../view/look.ts';
import type { Slot } from '../../view/slot.ts';
import type { Span } from '../../view/units.ts';
import { findReadFiles, fitItems, renderItems } from './carry.ts';
import { leaveOutShown } from './leave-out-shown.ts';
import type { SummarizeHistoryOptions } from './summary-options.ts';

/** Less room than this holds nothing worth carrying. */
const LEAST_ROOM = 128;

/** What stands behind the summary: what code carries. The word to go on ends the view. What earlier compactions put behind text that stays goes. */
export function insertBehind(
  look: Look,
  span: Span,
  options: SummarizeHistoryOptions,
  items: readonly CarryItem[],
  freedByFolds: number,
  goesOn: boolean,
  made: readonly Edit[],
): readonly InsertEdit[] {
  const folds = made.filter((edit) => edit.type === 'fold');
  const summary = folds.at(-1);
  const last = look.slots.at(-1);
  // Not while a call is in flight: its results must come first.
  if (look.hasOpenCalls || last === undefined || summary === undefined) return [];
  const inserts: InsertEdit[] = [];
  const isFolded = foldedBy(look, folds);
  const stale = look.slots.filter((slot) => slot.inserted === true && !isFolded(slot));
  const freed = stale.reduce((sum, slot) => sum + slot.tokens, freedByFolds);
  // They must not take all that was freed, nor bring the next compaction about.
  let room = freed - Math.max(1, look.needed.tokens);
  const insert = (after: MessageId, body: string, mark: Pick<Message, 'synthetic'> = {}): boolean => {
    const ref = look.ref(made.length + inserts.length);
    const message = { ...makeMessage(ref, { from: summary.from, to: summary.to }, body), ...mark };
    const tokens = look.count(message);
    if (tokens > room) return false;
    room -= tokens;
    inserts.push({ type: 'insert', ref, after, messages: [message] });
    return true;
  };
  let carried = options.attach === false ? [] : chooseItems(look, span, options, items, freed);
  while (carried.length > 0 && !insert(summary.from, `${attachmentFrame}\n${renderItems(carried)}`))
    carried = carried.slice(0, -1);
  const end = isFolded(last) ? summary.from : look.original(last).id;
  const isEnded = goesOn && insert(end, continueNotice, { synthetic: 'compaction_continue' });
  // A view must not end with the model's words: where nothing comes in its place, the newest stays.
  const gone = isEnded ? stale : stale.filter((slot) => slot !== last);
  const replaces = [...new Set(gone.flatMap(({ fold }) => fold ?? []))];
  if (replaces.length === 0) return inserts;
  const [first = { type: 'insert', ref: look.ref(made.length), after: summary.from, messages: [] }, ...others] =
    inserts;
  return [{ ...first, replaces }, ...others];
}

type IsFolded = (slot: Slot) => boolean;

/** Whether a slot goes with one of the folds. */
function foldedBy(look: Look, folds: readonly FoldEdit[]): IsFolded {
  const spans = folds.map(({ from, to }) => [placeOf(look, from), placeOf(look, to)] as const);
  return (slot) => spans.some(([from, to]) => from <= slot.first && slot.last <= to);
}

const placeOf = (look: Look, id: string): number => look.placeOf(id) ?? -1;

/** The items that there is room for; without a host, the files that were read last and are not in view. */
function chooseItems(
  look: Look,
  span: Span,
  options: SummarizeHistoryOptions,
  items: readonly CarryItem[],
  freed: number,
): readonly CarryItem[] {
  const room = options.attachWithin === 'trigger' ? roomBelowTrigger(look, freed) : roomBelowTarget(look, freed);
  const [first, last] = [look.slots[0], look.slots.at(-1)];
  if (room < LEAST_ROOM / 2 || first === undefined || last === undefined) return [];
  const kept = [...look.slots.slice(0, span.start), ...look.slots.slice(span.end)].map(({ message }) => message);
  const found = look.given.can.has('carry') ? items : findReadFiles(look.behind(first, last));
  return fitItems(leaveOutShown(found, kept), room, look.given.countText);
}

/** Half of what is to spare: the next turns want room too. */
function roomBelowTarget(look: Look, freed: number): number {
  const spare = freed - look.over.tokens;
  return spare < LEAST_ROOM ? 0 : Math.floor(Math.min(spare, targetForMessages(look.given.budget) * 0.25) / 2);
}

/** Half of what the trigger leaves, so that the next compaction is not brought about; and never most of what was just freed. */
function roomBelowTrigger({ given, needed, tokens }: Look, freed: number): number {
  const { trigger, floorFrom = trigger } = given.budget;
  const free = freed - needed.tokens + Math.max(0, floorFrom - tokens);
  return Math.floor(Math.min(free / 2, freed * 0.75));
}
