import type { EditBatch } from '../../edits/edit-batch.ts';
import { countBehind, foldSlots, makeMessage } from '../../edits/fold-slots.ts';
import type { Edit, FoldEdit } from '../../ledger/edit.ts';
import type { Message } from '../../message/message.ts';
import { droppedNotice, shortCutMark } from '../../notices.ts';
import type { Look } from '../../view/look.ts';
import type { Slot } from '../../view/slot.ts';
import { changeSizes } from '../../view/slot-list.ts';
import { type Span, spanBetween } from '../../view/units.ts';
import type { Hidden, RankedUnit } from './ranked-units.ts';
import { fitsRoom, type Room, takeTogether } from './room.ts';

/** Neighbouring messages that go, and what shows in their place. */
interface Gap extends Span {
  readonly units: readonly RankedUnit[];
  readonly shown: readonly Message[];
}

function findGaps(look: Look, units: readonly RankedUnit[], hidden: Hidden): readonly Gap[] {
  const gaps: { start: number; end: number; units: RankedUnit[] }[] = [];
  for (const unit of units) {
    const as = hidden.get(unit);
    for (const { start, end } of as === undefined ? [] : as.isWhole === true ? [unit] : unit.hiding.runs) {
      const open = gaps.at(-1);
      if (open?.end === start) {
        open.end = end;
        open.units.push(unit);
      } else gaps.push({ start, end, units: [unit] });
    }
  }
  return gaps.flatMap(({ start, end, units: inside }): readonly Gap[] => {
    const span = spanBetween(look.slots, start, end);
    const shown = [...new Set(inside)].flatMap((unit) => hidden.get(unit)?.shown ?? []);
    return span === undefined ? [] : [{ ...span, units: inside, shown }];
  });
}

/** What was put behind text that stays while the rest of its unit goes. */
const findInserted = (hidden: Hidden): readonly Slot[] =>
  [...hidden].flatMap(([unit, { isWhole }]) => (isWhole === true ? [] : unit.hiding.inserted));

/**
 * The folds that hide these units, behind the edits of a batch. One notice, at the first gap, tells of all; a notice that
 * costs more than it saves stays away.
 */
export function foldUnits(
  look: Look,
  units: readonly RankedUnit[],
  hidden: Hidden,
  batch: EditBatch,
): readonly FoldEdit[] {
  const gaps = findGaps(look, units, hidden);
  const refOf = (i: number): string => look.ref(batch.edits.length + i);
  const reference = gaps.length > 1 ? `${refOf(0)} to ${refOf(gaps.length - 1)}` : refOf(0);
  const count = gaps.reduce((sum, gap) => sum + countBehind(gap), 0);
  const saved = gaps.reduce((sum, gap) => sum + gap.tokens, 0);
  return gaps.map((gap, i) => {
    const fold = foldSlots(look, gap, refOf(i), (standsFor) => {
      if (i > 0) return gap.shown;
      const kept = gap.shown.reduce((sum, message) => sum + look.count(message), 0);
      const notices = [droppedNotice(count, reference, look.given.canRecall), shortCutMark(reference)].map((body) =>
        makeMessage(refOf(0), standsFor, body),
      );
      const notice = notices.find((one) => look.count(one) < saved - kept);
      return notice === undefined ? gap.shown : [notice, ...gap.shown];
    });
    const brief = gap.units.find((unit) => unit.rank === 'summary' && (hidden.get(unit)?.shown.length ?? 0) > 0);
    const mark = brief?.first.summary;
    return mark === undefined ? fold : { ...fold, summary: mark };
  });
}

/** What was put behind text that stays is taken out of the view. */
export function removeInserted(look: Look, hidden: Hidden, before: number): readonly Edit[] {
  const inserted = findInserted(hidden);
  const [first] = inserted;
  if (first === undefined) return [];
  const replaces = [...new Set(inserted.flatMap(({ fold }) => fold ?? []))];
  return [{ type: 'insert', ref: look.ref(before), after: look.original(first).id, messages: [], replaces }];
}

/** Whether the view with these units hidden and those edits made is within the room, and may start as it would. */
export function fitsHidden(
  look: Look,
  units: readonly RankedUnit[],
  hidden: Hidden,
  batch: EditBatch,
  room: Room,
): boolean {
  const gone = new Set(findInserted(hidden));
  const folds = foldUnits(look, units, hidden, batch);
  const made = folds.flatMap((fold) => fold.messages);
  const stay = units.flatMap((unit) => {
    const as = hidden.get(unit);
    if (as === undefined) return unit.slots;
    return as.isWhole === true ? [] : unit.hiding.stay.filter((slot) => !gone.has(slot));
  });
  const [first] = look.slots;
  const opening = stay[0] === first ? first?.message : (folds[0]?.messages[0] ?? made[0] ?? stay[0]?.message);
  if (opening === undefined || (opening.role !== 'user' && opening !== first?.message)) return false;
  const sizes = changeSizes(takeTogether(look, stay, made), [batch.freed], []);
  return fitsRoom(sizes, stay.length + made.length, room);
}
