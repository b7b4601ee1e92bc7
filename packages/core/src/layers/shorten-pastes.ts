import { newEditBatch } from '../edits/edit-batch.ts';
import { excerptText } from '../ledger/edit.ts';
import { headAndTail } from '../ledger/excerpt.ts';
import type { UserText } from '../message/user-text.ts';
import { cutMark } from '../notices.ts';
import { userTextRoom } from '../size/budget.ts';
import { type Layer, type Look, nothing } from '../view/look.ts';
import { partIndex, type Slot } from '../view/slot.ts';
import { findSlot } from '../view/slot-list.ts';

/** A longer text was pasted. */
const PASTE_CHARS = 2_000;
/** What is left of it at either end. */
const END_CHARS = 400;

/** A text as the view shows it. */
interface ShownText extends UserText {
  readonly slot: Slot;
  readonly tokens: number;
}

/**
 * Where what users wrote takes more than its share of the window, pastes keep head and tail, oldest first; the head of the
 * conversation and the newest request stay whole. Only under pressure, so a cached prefix is not broken for it.
 */
export const shortenPastes = (): Layer => ({
  name: 'shorten-pastes',
  decide(look) {
    const { budget, canRecall, keepsUserText } = look.given;
    if (look.over.tokens === 0 || !keepsUserText) return nothing;
    const texts = listShown(look);
    let over = texts.reduce((sum, { tokens }) => sum + tokens, 0) - userTextRoom(budget);
    const newest = texts.findLast(({ author }) => author === 'user')?.place;
    const batch = newEditBatch(look);
    for (const { slot, part, place, text, author, isHead, tokens } of texts) {
      if (over <= 0) break;
      if (author !== 'user' || isHead || place === newest || text.length <= PASTE_CHARS) continue;
      if (slot.edited?.has(part) === true) continue;
      const excerpt = (ref: string) => headAndTail(text, END_CHARS, END_CHARS, (cut) => cutMark(cut, ref, canRecall));
      const left = look.given.countText(excerptText(excerpt(look.ref(0)), text));
      if (batch.add(slot, (ref, message) => ({ type: 'replace', ref, message, part, excerpt: excerpt(ref) })))
        over -= tokens - left;
    }
    return { edits: batch.edits };
  },
});

function listShown(look: Look): readonly ShownText[] {
  const last = look.slots.at(-1)?.last ?? -1;
  return look.userTexts(0, last).flatMap((found): readonly ShownText[] => {
    const slot = look.slots[findSlot(look.slots, found.place)];
    const isOwn = found.author === 'user' || found.isHead;
    if (!isOwn || slot === undefined || slot.fold !== undefined || slot.first !== found.place) return [];
    const shown = slot.message.parts.find((_, at) => partIndex(slot, at) === found.part);
    return shown?.type === 'text' ? [{ ...found, slot, tokens: look.given.countText(shown.text) }] : [];
  });
}
