import { newDraft } from '../edits/edit-batch.ts';
import { type Layer, type Look, nothing } from '../view/look.ts';
import { placeOf, type Slot } from '../view/slot.ts';
import { lastTurns } from '../view/units.ts';

/**
 * The model's old reasoning goes first under pressure: whole blocks, never altered ones, never in the current turn,
 * where a provider wants it back as it was. Not at all where a reasoning item must stay with the item behind it.
 */
export function dropOldReasoning(): Layer {
  return {
    name: 'drop-old-reasoning',
    decide(look) {
      if (look.over.tokens === 0 || look.wire.reasoning === 'with-next') return nothing;
      const lastAssistant = look.slots.findLastIndex((slot) => slot.message.role === 'assistant');
      return { edits: dropReasoning(look, 0, Math.min(lastTurns(look.slots, 1), lastAssistant), () => true) };
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
      if (look.wire.reasoning !== 'bound') return nothing;
      const from = look.slots.findIndex((slot) => slot.first >= changed.place);
      if (from < 0) return nothing;
      const isBehind = (slot: Slot, place: number): boolean => slot.first > changed.place || place > changed.part;
      return {
        edits: dropReasoning(
          look,
          from,
          look.slots.length,
          (slot, shown, signed) => signed && isBehind(slot, placeOf(slot, shown)),
        ),
      };
    },
  };
}

function dropReasoning(
  look: Look,
  start: number,
  end: number,
  wanted: (slot: Slot, shown: number, signed: boolean) => boolean,
) {
  const draft = newDraft(look);
  for (let at = start; at < end; at++) {
    const slot = look.slots[at]!;
    if (slot.message.role !== 'assistant' || slot.fold !== undefined || look.isPinned(slot.message.id)) continue;
    slot.message.parts.forEach((part, shown) => {
      if (part.type !== 'reasoning' || !wanted(slot, shown, part.signature !== undefined)) return;
      draft.add(at, (ref, message) => ({ type: 'drop', ref, message, part: placeOf(slot, shown) }));
    });
  }
  return draft.edits;
}
