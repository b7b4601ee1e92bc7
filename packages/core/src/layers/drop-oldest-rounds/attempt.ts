import { type EditBatch, newEditBatch } from '../../edits/edit-batch.ts';
import { dropParts } from '../../edits/hide-around.ts';
import { findMedia, stripMedia } from '../../edits/media-sites.ts';
import { newShrink, type ShrinkMessage } from '../../edits/shrink-message.ts';
import type { Edit } from '../../ledger/edit.ts';
import type { Look } from '../../view/look.ts';
import { fitsHidden, foldUnits, removeInserted } from './hide-units.ts';
import { findHead, findRequest, type Hidden, type RankedUnit } from './ranked-units.ts';
import { type Room, takeTogether } from './room.ts';

/** The tokens that the newest round, the newest request, the head and every other unit may take; `Infinity`: it stays as it is. */
export interface Shares {
  readonly newest: number;
  readonly request: number;
  readonly head: number;
  readonly text: number;
  /** What a pin may take; as text may, where nothing is said. */
  readonly pin?: number;
  /** Text of users beside results stays whole, however little the message may take. */
  readonly keepsText?: true;
}

/** Tries of one decision: some units hidden, the others within their shares. */
export interface Attempt {
  fits(hidden: Hidden, shares: Shares, room: Room): boolean;
  /** The edits of a try. */
  write(hidden: Hidden, shares: Shares, room: Room): readonly Edit[];
  readonly shrink: ShrinkMessage;
}

export function newAttempt(look: Look, units: readonly RankedUnit[]): Attempt {
  const shrink = newShrink(look);
  const request = findRequest(units);
  const head = findHead(look, units);
  const shareOf = (unit: RankedUnit, shares: Shares): number => {
    if (unit === request) return shares.request;
    if (unit.rank === 'newest') return shares.newest;
    if (unit === head) return shares.head;
    return unit.rank === 'pin' ? (shares.pin ?? shares.text) : shares.text;
  };
  const cut = (hidden: Hidden, shares: Shares, room: Room): EditBatch => {
    const batch = newEditBatch(look);
    const shown = units.filter((unit) => !hidden.has(unit));
    for (const [unit, { isWhole }] of hidden) if (isWhole !== true) dropParts(batch, unit.hiding);
    stripBeyond(look, shown, hidden, batch, room);
    for (const unit of shown) shrinkUnit(batch, unit, Math.floor(shareOf(unit, shares)), shrink, shares.keepsText);
    return batch;
  };
  return {
    shrink,
    fits: (hidden, shares, room) => fitsHidden(look, units, hidden, cut(hidden, shares, room), room),
    write(hidden, shares, room) {
      const batch = cut(hidden, shares, room);
      const edits = [...batch.edits, ...foldUnits(look, units, hidden, batch)];
      return [...edits, ...removeInserted(look, hidden, edits.length)];
    },
  };
}

/** Pictures and documents beyond the limits for images and bytes give way, before anything is hidden for them. */
function stripBeyond(look: Look, shown: readonly RankedUnit[], hidden: Hidden, batch: EditBatch, room: Room): void {
  if (room.images === Infinity && room.bytes === Infinity) return;
  const slots = shown.flatMap((unit) => unit.slots);
  const taken = takeTogether(
    look,
    slots,
    [...hidden.values()].flatMap(({ shown: some }) => some),
  );
  for (const site of findMedia(look, slots)) {
    const isEnough = taken.images - batch.freed.images <= room.images && taken.bytes - batch.freed.bytes <= room.bytes;
    if (isEnough) return;
    stripMedia(batch, site);
  }
}

/** Each message of the unit has its part of what the unit may have; small ones leave theirs to the large. */
function shrinkUnit(
  batch: EditBatch,
  unit: RankedUnit,
  allowed: number,
  shrink: ShrinkMessage,
  keepsText?: true,
): void {
  let left = allowed;
  if (unit.tokens <= left) return;
  const slots = unit.slots.toSorted((a, b) => a.tokens - b.tokens);
  for (const [i, slot] of slots.entries()) {
    const each = Math.max(1, Math.floor(left / (slots.length - i)));
    if (slot.tokens > each) shrink(batch, slot, each, keepsText);
    left -= Math.min(slot.tokens, each);
  }
}
