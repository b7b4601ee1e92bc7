import { newEditBatch } from '../edits/edit-batch.ts';
import { foldSlots } from '../edits/fold-slots.ts';
import type { Edit } from '../ledger/edit.ts';
import type { UnboundSlot } from '../view/bound-reasoning.ts';
import { type Layer, type Look, nothing } from '../view/look.ts';
import { partIndex, type Slot } from '../view/slot.ts';
import { lastTurns } from '../view/turns.ts';
import { spanBetween } from '../view/units.ts';

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
      return { edits: dropReasoning(look, look.slots.slice(0, end)) };
    },
  };
}

/**
 * Drops reasoning that stands behind something else than it was made behind, where the wire binds it: sending it is refused
 * for ever. It goes even if that frees nothing, and out of pinned messages too, of which every word stays.
 */
export function unbindReasoning(unbound: readonly UnboundSlot[]): Layer {
  return {
    name: 'drop-old-reasoning',
    decide(look) {
      const edits: Edit[] = [];
      for (const { at, slot, parts } of unbound) {
        const message = look.original(slot).id;
        if (parts.length === slot.message.parts.length) edits.push(...hideMessage(look, at, look.ref(edits.length)));
        else for (const part of parts) edits.push({ type: 'drop', ref: look.ref(edits.length), message, part });
      }
      return { edits };
    },
  };
}

/** A message of reasoning alone goes whole, but for what was put behind it. */
function hideMessage(look: Look, at: number, ref: string): readonly Edit[] {
  let end = at + 1;
  while (look.slots[end]?.inserted === true) end++;
  const span = spanBetween(look.slots, at, end);
  const inserted = look.slots.slice(at + 1, end).map((slot) => slot.message);
  return span === undefined ? [] : [foldSlots(look, span, ref, () => inserted)];
}

function dropReasoning(look: Look, slots: readonly Slot[]): readonly Edit[] {
  const batch = newEditBatch(look);
  for (const slot of slots) {
    if (slot.message.role !== 'assistant' || slot.fold !== undefined || look.isPinned(slot.message.id)) continue;
    for (const [shown, part] of slot.message.parts.entries()) {
      if (part.type !== 'reasoning') continue;
      const index = partIndex(slot, shown);
      batch.add(slot, (ref, message) => ({ type: 'drop', ref, message, part: index }));
    }
  }
  return batch.edits;
}
