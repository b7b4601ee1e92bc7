import { type Edit, type FoldEdit, type InsertEdit, type PartEdit, startOf } from '../ledger/edit.ts';
import type { Message, MessageId } from '../message/message.ts';
import { editSlot } from './edit-slot.ts';
import { type Count, type Sizes, type Slot, weighMessage } from './slot.ts';

/** Slots in order, and what they take together: kept up to date as they change, so that asking costs nothing. */
export interface SlotList {
  readonly slots: readonly Slot[];
  readonly sizes: Sizes;
}

/** The messages that edits name, their places, and how messages are counted. */
export interface EditSource {
  readonly base: readonly Message[];
  readonly places: ReadonlyMap<MessageId, number>;
  readonly count: Count;
}

export const noSizes: Sizes = { tokens: 0, bytes: 0, images: 0 };

export function changeSizes(sizes: Sizes, gone: readonly Sizes[], come: readonly Sizes[]): Sizes {
  let { tokens, bytes, images } = sizes;
  for (const one of gone) {
    tokens -= one.tokens;
    bytes -= one.bytes;
    images -= one.images;
  }
  for (const one of come) {
    tokens += one.tokens;
    bytes += one.bytes;
    images += one.images;
  }
  return { tokens, bytes, images };
}

/** The index of the first slot that ends at or after a transcript place. */
export function findSlot(slots: readonly Slot[], place: number): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((slots[middle]?.last ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A list that is its owner's to change. */
export interface OwnSlotList extends SlotList {
  readonly slots: Slot[];
}

/** Applies edits to a copy of the list. Throws plain errors that the caller turns into InvariantError or bad-ledger. */
export function applyEdits(source: EditSource, list: SlotList, edits: readonly Edit[]): OwnSlotList {
  const slots = list.slots.slice();
  let { sizes } = list;
  // Edits of one message's parts wait for each other, so that the message is weighed once.
  const waiting = new Map<number, PartEdit[]>();
  const put = (at: number, gone: number, made: readonly Slot[]): void => {
    sizes = changeSizes(sizes, slots.splice(at, gone, ...made), made);
  };
  function editWaiting(): void {
    for (const [place, partEdits] of waiting) {
      const at = findSlot(slots, place);
      const [slot, original] = [slots[at], source.base[place]];
      if (slot === undefined || original === undefined) continue;
      const after = editSlot(slot, original, partEdits, source.count);
      sizes = changeSizes(sizes, [slot], [after]);
      slots[at] = after;
    }
    waiting.clear();
  }
  for (const edit of edits) {
    if (edit.type === 'fold') {
      editWaiting();
      const { at, end, first, last } = findFolded(source, slots, edit);
      put(at, end - at, makeSlots(source, edit, first, last));
    } else if (edit.type === 'insert') {
      for (const ref of edit.replaces ?? []) {
        const at = slots.findIndex((slot) => slot.inserted === true && slot.fold === ref);
        if (at >= 0) put(at, 1, []);
      }
      const { slot, end } = findShown(source, slots, edit);
      put(end, 0, makeSlots(source, edit, slot.first, slot.last));
    } else {
      const { slot } = findShown(source, slots, edit);
      const before = waiting.get(slot.first);
      if (before === undefined) waiting.set(slot.first, [edit]);
      else before.push(edit);
    }
  }
  editWaiting();
  return { slots, sizes };
}

function findPlace(source: EditSource, edit: Edit, id: MessageId): number {
  const place = source.places.get(id);
  if (place === undefined) throw new Error(`edit ${edit.ref} names message "${id}", which is not there`);
  return place;
}

function findFolded(source: EditSource, slots: readonly Slot[], edit: FoldEdit) {
  const first = findPlace(source, edit, edit.from);
  const at = findSlot(slots, first);
  const last = findPlace(source, edit, edit.to);
  let end = at;
  while ((slots[end]?.last ?? Infinity) <= last) end++;
  if (last < first || (slots[at]?.first ?? first) < first || (slots[end]?.first ?? last + 1) <= last)
    throw new Error(`fold ${edit.ref} cuts through something that is already folded`);
  return { at, end, first, last };
}

/** The slot of the message that an edit changes, and where what was put behind it ends. */
function findShown(source: EditSource, slots: readonly Slot[], edit: PartEdit | InsertEdit) {
  const id = startOf(edit);
  const first = findPlace(source, edit, id);
  const at = findSlot(slots, first);
  const slot = slots[at];
  if (slot === undefined || slot.first !== first || (edit.type !== 'insert' && slot.fold !== undefined))
    throw new Error(`edit ${edit.ref} changes message "${id}", which the view does not show`);
  let end = at + 1;
  while (slots[end]?.first === slot.first && slots[end]?.last === slot.last) end++;
  return { slot, end };
}

const makeSlots = (source: EditSource, edit: FoldEdit | InsertEdit, first: number, last: number): Slot[] =>
  edit.messages.map((message) => ({
    ...weighMessage(message, source.count),
    first,
    last,
    fold: edit.ref,
    ...(edit.type === 'fold' ? markSlot(source, edit, last) : {}),
    ...(edit.type === 'insert' ? { inserted: true as const } : {}),
  }));

function markSlot({ places }: EditSource, { summary }: FoldEdit, last: number): Pick<Slot, 'summary' | 'reach'> {
  if (summary === undefined) return {};
  const reach = summary.to === undefined ? undefined : places.get(summary.to);
  return reach === undefined || reach <= last ? { summary } : { summary, reach };
}
