import { newEditBatch } from '../edits/edit-batch.ts';
import type { Edit } from '../ledger/edit.ts';
import { type Layer, type Look, nothing } from '../view/look.ts';
import { partIndex, type Slot } from '../view/slot.ts';
import { lastTurns } from '../view/turns.ts';

/**
 * The model's old reasoning goes first under pressure: whole blocks, never altered ones, never in the current turn,
 * where a provider wants it back as it was. Not at all where a reasoning item must stay with the item behind it.
 */
export function dropOldReasoning(): Layer {
  return {
    name: 'drop-old-reasoning',
    decide(look) {
      if (look.over.tokens === 0 || look.given.wire.reasoning === 'with-next') return nothing;
      const lastAssistant = look.slots.findLastIndex((slot) => slot.message.role === 'assistant');
      const end = Math.max(0, Math.min(lastTurns(look.slots, 1), lastAssistant));
      return { edits: dropReasoning(look, look.slots.slice(0, end), () => true) };
    },
  };
}

/**
 * Comes after every other layer where signed reasoning is bound to its exact prefix: once something before a signed
 * block has changed, sending the block is refused for ever, so it goes.
 */
export function unbindReasoning(changed: { readonly place: number; readonly part: number }): Layer {
  return {
    name: 'drop-old-reasoning',
    decide(look) {
      if (look.given.wire.reasoning !== 'bound') return nothing;
      const behind = look.slots.slice(slotsBefore(look.slots, changed.place));
      const isBehind = (slot: Slot, index: number): boolean => slot.first > changed.place || index > changed.part;
      return { edits: dropReasoning(look, behind, (slot, index, signed) => signed && isBehind(slot, index)) };
    },
  };
}

/** How many slots begin before a transcript place. */
function slotsBefore(slots: readonly Slot[], place: number): number {
  const found = slots.findIndex((slot) => slot.first >= place);
  return found < 0 ? slots.length : found;
}

function dropReasoning(
  look: Look,
  slots: readonly Slot[],
  isWanted: (slot: Slot, index: number, signed: boolean) => boolean,
): readonly Edit[] {
  const batch = newEditBatch(look);
  for (const slot of slots) {
    if (slot.message.role !== 'assistant' || slot.fold !== undefined || look.isPinned(slot.message.id)) continue;
    for (const [shown, part] of slot.message.parts.entries()) {
      const index = partIndex(slot, shown);
      if (part.type !== 'reasoning' || !isWanted(slot, index, part.signature !== undefined)) continue;
      batch.add(slot, (ref, message) => ({ type: 'drop', ref, message, part: index }));
    }
  }
  return batch.edits;
}
