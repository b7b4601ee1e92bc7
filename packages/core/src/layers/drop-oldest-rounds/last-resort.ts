import { type EditBatch, newEditBatch } from '../../edits/edit-batch.ts';
import { countBehind, foldSlots, makeMessage } from '../../edits/fold-slots.ts';
import type { ShrinkMessage } from '../../edits/shrink-message.ts';
import type { Edit, FoldEdit } from '../../ledger/edit.ts';
import { text } from '../../message/message.ts';
import { briefNotice, droppedNotice } from '../../notices.ts';
import type { Look } from '../../view/look.ts';
import { joinUnits, type Unit } from '../../view/units.ts';
import { fitsHidden, foldUnits } from './hide-units.ts';
import { type Hidden, LEAST_DIGEST, type RankedUnit } from './ranked-units.ts';
import type { Room } from './room.ts';

/** One thing is left: the newest request, else a notice; with a call in flight also that, since its result will come. */
export function keepLastThing(
  look: Look,
  units: readonly RankedUnit[],
  room: Room,
  shrink: ShrinkMessage,
): readonly Edit[] {
  const kept = chooseKept(look, units);
  const [opening] = kept;
  if (opening === undefined) return hideEverything(look, units);
  const hidden: Hidden = new Map(
    units.filter((unit) => !kept.includes(unit)).map((unit) => [unit, { shown: [], isWhole: true }]),
  );
  const batch = shrinkUnits(look, kept, room.tokens, shrink);
  const told = foldUnits(look, units, hidden, batch);
  if (opening.first.message.role === 'user') {
    // A request may open a view; the notice is worth its tokens only where there is room.
    const fits = fitsHidden(look, units, hidden, batch, room);
    const left = room.tokens - kept.reduce((sum, unit) => sum + unit.tokens, 0) + batch.freed.tokens;
    const shown = fits ? tellNewest(look, units, hidden, told, left) : told.map((fold) => ({ ...fold, messages: [] }));
    return [...batch.edits, ...shown];
  }
  // A call may not open a view: without a notice that pays, what stands before it stays, and all is cut instead.
  if (told.some((fold) => fold.messages.length > 0) || hidden.size === 0) return [...batch.edits, ...told];
  return shrinkUnits(look, units, room.tokens, shrink).edits;
}

/** What a digest of the newest round may take of the room that is left: the turns to come need some, too. */
const BRIEF_SHARE = 0.5;

/** The round that is too large in its smallest form is what the model waits for: what it found is told in short. */
function tellNewest(
  look: Look,
  units: readonly RankedUnit[],
  hidden: Hidden,
  told: readonly FoldEdit[],
  left: number,
): readonly FoldEdit[] {
  const newest = units.at(-1);
  const fold = told.at(-1);
  const notice = fold?.messages.at(-1);
  if (newest?.rank !== 'newest' || !hidden.has(newest) || fold === undefined || notice === undefined) return told;
  const most = Math.floor(left * BRIEF_SHARE) - look.given.countText(briefNotice);
  const body = most < LEAST_DIGEST ? '' : look.digest(newest.first.first, newest.last.last, most).text;
  if (body === '') return told;
  const brief = { ...notice, parts: [...notice.parts, text(`${briefNotice}\n${body}`)] };
  return [...told.slice(0, -1), { ...fold, messages: [...fold.messages.slice(0, -1), brief] }];
}

function chooseKept(look: Look, units: readonly RankedUnit[]): readonly RankedUnit[] {
  const newest = units.slice(-1);
  const request = units.findLast((unit) => unit.slots.length === 1 && unit.isText);
  if (!look.hasOpenCalls) return request === undefined ? [] : [request];
  return request === undefined || newest.includes(request) ? newest : [request, ...newest];
}

/** Cuts every message of the units ever shorter until they fit together, or until there is nothing left to cut. */
function shrinkUnits(look: Look, units: readonly Unit[], tokens: number, shrink: ShrinkMessage): EditBatch {
  const slots = units.flatMap((unit) => unit.slots);
  const before = slots.reduce((sum, slot) => sum + slot.tokens, 0);
  for (let share = 1; ; share *= 0.7) {
    const batch = newEditBatch(look);
    const each = Math.floor((tokens / Math.max(1, slots.length)) * share);
    for (const slot of slots) shrink(batch, slot, Math.max(1, each));
    if (before - batch.freed.tokens <= tokens || each <= 1) return batch;
  }
}

function hideEverything(look: Look, units: readonly Unit[]): readonly Edit[] {
  const all = joinUnits(units);
  if (all === undefined) return [];
  const ref = look.ref(0);
  const fold = foldSlots(look, all, ref, (standsFor) => [
    makeMessage(ref, standsFor, droppedNotice(countBehind(all), ref, look.given.canRecall)),
  ]);
  return fold.messages.every((message) => look.count(message) < all.tokens) ? [fold] : [];
}
