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
  /** Whether notices may send the model to a recall. */
  readonly canRecall: boolean;
  readonly edits: readonly Edit[];
  readonly freed: Sizes;
  /** True when the edits were taken, all or none; placeholders no smaller than what they replace are not. */
  add(slot: Slot, ...makes: readonly MakePartEdit[]): boolean;
}

/** Begins the edits of one decision: a layer adds to it and answers with its `edits`. */
export function newEditBatch(look: Look): EditBatch {
  const edits: Edit[] = [];
  const trials = new Map<Slot, SlotTrial>();
  let freed = noSizes;
  return {
    canRecall: look.given.canRecall,
    edits,
    get freed() {
      return freed;
    },
    add(slot, ...makes) {
      const original = look.original(slot);
      const trial = trials.get(slot) ?? tryEdits(slot, original, look.count);
      trials.set(slot, trial);
      const before = trial.sizes;
      const made = makes.map((make, i) => make(look.ref(edits.length + i), original.id));
      if (!trial.take(...made)) return false;
      edits.push(...made);
      freed = changeSizes(freed, [trial.sizes], [before]);
      return true;
    },
  };
}
