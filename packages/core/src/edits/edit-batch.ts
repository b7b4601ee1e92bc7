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
  /** Parts go, by their indexes in the transcript's message, whatever that frees: what they belong to goes as well. */
  drop(slot: Slot, parts: readonly number[]): void;
}

/** Begins the edits of one decision: a layer adds to it and answers with its `edits`. `before`: how many the decision has already. */
export function newEditBatch(look: Look, before = 0): EditBatch {
  const edits: Edit[] = [];
  const trials = new Map<Slot, SlotTrial>();
  let freed = noSizes;
  const begin = (slot: Slot): SlotTrial => {
    const trial = trials.get(slot) ?? tryEdits(slot, look.original(slot), look.count);
    trials.set(slot, trial);
    return trial;
  };
  const take = (trial: SlotTrial, made: readonly PartEdit[]): boolean => {
    const was = trial.sizes;
    const isSmaller = trial.take(...made);
    freed = changeSizes(freed, [trial.sizes], [was]);
    return isSmaller;
  };
  return {
    canRecall: look.given.canRecall,
    edits,
    get freed() {
      return freed;
    },
    add(slot, ...makes) {
      const { id } = look.original(slot);
      const made = makes.map((make, i) => make(look.ref(before + edits.length + i), id));
      if (!take(begin(slot), made)) return false;
      edits.push(...made);
      return true;
    },
    drop(slot, parts) {
      const { id } = look.original(slot);
      const made = parts.map(
        (part, i): PartEdit => ({ type: 'drop', ref: look.ref(before + edits.length + i), message: id, part }),
      );
      take(begin(slot), made);
      edits.push(...made);
    },
  };
}
