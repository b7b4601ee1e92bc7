import { newEditBatch } from '../edits/edit-batch.ts';
import { excerptText } from '../ledger/edit.ts';
import { headAndTail } from '../ledger/excerpt.ts';
import { cutMark } from '../notices.ts';
import { userTextRoom } from '../size/budget.ts';
import { listShown, type ShownText } from '../view/kept-text.ts';
import { type Layer, nothing } from '../view/look.ts';

/** A longer text was pasted. */
const PASTE_CHARS = 2_000;
/** What is left of it at either end. */
const END_CHARS = 400;

/**
 * Where what users wrote takes more than its share of the window, pastes keep head and tail, oldest first; the head of the
 * conversation and the newest request stay whole. Only under pressure, so a cached prefix is not broken for it.
 */
export const shortenPastes = (): Layer => ({
  name: 'shorten-pastes',
  decide(look) {
    const { budget, canRecall, keepsUserText, countText } = look.given;
    if (look.over.tokens === 0 || !keepsUserText) return nothing;
    const texts = listShown(look.slots, look.userTexts(0, Infinity)).filter(
      (one) => one.author === 'user' || one.isHead,
    );
    const newest = texts.findLast(({ author }) => author === 'user')?.place;
    const pastes = texts.filter((one) => isWholePaste(one) && one.place !== newest);
    if (pastes.length === 0) return nothing;
    let over = texts.reduce((sum, { shown }) => sum + countText(shown), 0) - userTextRoom(budget);
    const batch = newEditBatch(look);
    for (const { slot, part, text, shown } of pastes) {
      if (over <= 0) break;
      const excerpt = (ref: string) => headAndTail(text, END_CHARS, END_CHARS, (cut) => cutMark(cut, ref, canRecall));
      const left = countText(excerptText(excerpt(look.ref(0)), text));
      if (batch.add(slot, (ref, message) => ({ type: 'replace', ref, message, part, excerpt: excerpt(ref) })))
        over -= countText(shown) - left;
    }
    return { edits: batch.edits };
  },
});

const isWholePaste = ({ author, isHead, text, slot, part }: ShownText): boolean =>
  author === 'user' && !isHead && text.length > PASTE_CHARS && slot.edited?.has(part) !== true;
