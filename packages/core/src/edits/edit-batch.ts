import type { Edit, PartEdit } from '../ledger/edit.ts';
import type { MessageId } from '../message/message.ts';
import { type SlotTrial, tryEdits } from '../view/edit-slot.ts';
import type { Look } from '../view/look.ts';
import type { Sizes, Slot } from '../view/slot.ts';
import { changeSizes, noSizes } from '../view/slot-list.ts';

/** An edit of one part, once its reference and the transcript message that it names are known. */
export type MakePartEdit = (ref: string, message: MessageId) => PartEdit;

/** Edits of parts in the making: numbers them, refuses any that would not make the view smaller, and adds up what they free. */
export interface EditBatch {
  readonly edits: readonly Edit[];
  readonly freed: Sizes;
  /** True when the edit was taken; a placeholder no smaller than what it replaces is not. */
  add(slot: Slot, make: MakePartEdit): boolean;
}

/** Begins the edits of one decision: a layer adds to it and answers with its `edits`. */
export function newEditBatch(look: Look): EditBatch {
  const edits: Edit[] = [];
  const trials = new Map<Slot, SlotTrial>();
  let freed = noSizes;
  return {
    edits,
    get freed() {
      return freed;
    },
    add(slot, make) {
      const original = look.original(slot);
      const trial = trials.get(slot) ?? tryEdits(slot, original, look.count);
      trials.set(slot, trial);
      const before = trial.sizes;
      const edit = make(look.ref(edits.length), original.id);
      if (!trial.take(edit)) return false;
      edits.push(edit);
      freed = changeSizes(freed, [trial.sizes], [before]);
      return true;
    },
  };
}
