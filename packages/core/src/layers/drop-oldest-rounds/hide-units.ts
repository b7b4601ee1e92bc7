import type { EditBatch } from '../../edits/edit-batch.ts';
import { countBehind, foldSlots, makeMessage } from '../../edits/fold-slots.ts';
import type { FoldEdit } from '../../ledger/edit.ts';
import type { Message } from '../../message/message.ts';
import { droppedNotice, shortCutMark } from '../../notices.ts';
import type { Look } from '../../view/look.ts';
import { changeSizes } from '../../view/slot-list.ts';
import { joinUnits, type Span } from '../../view/units.ts';
import type { Hidden, RankedUnit } from './ranked-units.ts';
import { fitsRoom, type Room, takeTogether } from './room.ts';

/** A run of neighbouring units that are hidden, and what still shows of them. */
interface Gap extends Span {
  readonly units: readonly RankedUnit[];
  readonly shown: readonly Message[];
}

function findGaps(units: readonly RankedUnit[], hidden: Hidden): readonly Gap[] {
  const runs: RankedUnit[][] = [];
  let open: RankedUnit[] | undefined;
  for (const unit of units) {
    if (!hidden.has(unit)) open = undefined;
    else if (open !== undefined) open.push(unit);
    else {
      open = [unit];
      runs.push(open);
    }
  }
  return runs.flatMap((run): readonly Gap[] => {
    const span = joinUnits(run);
    return span === undefined ? [] : [{ ...span, units: run, shown: run.flatMap((unit) => hidden.get(unit) ?? []) }];
  });
}

/**
 * The folds that hide these units, behind the edits of a batch. One notice, at the first gap, tells of all; a notice that
 * costs more than it saves stays away.
 */
export function hideUnits(
  look: Look,
  units: readonly RankedUnit[],
  hidden: Hidden,
  batch: EditBatch,
): readonly FoldEdit[] {
  const gaps = findGaps(units, hidden);
  const refOf = (i: number): string => look.ref(batch.edits.length + i);
  const reference = gaps.length > 1 ? `${refOf(0)} to ${refOf(gaps.length - 1)}` : refOf(0);
  const count = gaps.reduce((sum, gap) => sum + countBehind(gap), 0);
  const saved = [...hidden.keys()].reduce((sum, unit) => sum + unit.tokens, 0);
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
    const brief = gap.units.find((unit) => unit.rank === 'summary' && (hidden.get(unit)?.length ?? 0) > 0);
    const mark = brief?.first.summary;
    return mark === undefined ? fold : { ...fold, summary: mark };
  });
}

/** Whether the view with these units hidden and those edits made is within the room, and may start as it would. */
export function fitsHidden(
  look: Look,
  units: readonly RankedUnit[],
  hidden: Hidden,
  batch: EditBatch,
  room: Room,
): boolean {
  const folds = hideUnits(look, units, hidden, batch);
  const made = folds.flatMap((fold) => fold.messages);
  const stay = units.filter((unit) => !hidden.has(unit));
  const [first] = units;
  const startsHidden = first !== undefined && hidden.has(first);
  const opening = startsHidden ? (folds[0]?.messages[0] ?? made[0] ?? stay[0]?.first.message) : look.slots[0]?.message;
  if (opening === undefined || (opening.role !== 'user' && startsHidden)) return false;
  const slots = stay.flatMap((unit) => unit.slots);
  const sizes = changeSizes(takeTogether(look, slots, made), [batch.freed], []);
  return fitsRoom(sizes, slots.length + made.length, room);
}
