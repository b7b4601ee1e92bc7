import { excerptText } from '../../ledger/edit.ts';
import { headAndTail } from '../../ledger/excerpt.ts';
import { cutMark, moreLikeNotice } from '../../notices.ts';
import { findSoleRule, type Shown, type Told, weighText } from './told-words.ts';
import type { Typed } from './typed-words.ts';

/** Longer texts are pastes, which give way first; so many characters stay at the least. */
const pasteChars = 800;
const shortPasteChars = 360;
/** Of a text that is shortened, the head's part. */
const headShare = 2 / 3;
/** A text this many times longer than its room does not fit, and need not be counted to know that. */
const mostCharsPerToken = 12;
/** The newest request keeps this part of the room. */
const requestShare = 1 / 3;

/** Whether a text of the user's is one that gives way first. */
export const isPaste = (text: string): boolean => text.length > pasteChars;

/** Shortens pastes, oldest first and the newest request last, until nothing is `over`; answers what still is. */
export function shortenPastes(told: Told, shown: Shown, over: number, room: number): number {
  const { typed, newest } = told;
  const mayGiveWay = (one: Typed): boolean => isPaste(one.text) && findSoleRule(told, one) === undefined;
  const pastes = typed.filter((one) => one !== newest && mayGiveWay(one));
  let left = over;
  for (const one of newest !== undefined && mayGiveWay(newest) ? [...pastes, newest] : pastes) {
    if (left <= 0) break;
    const before = weighText(told, one, shown.get(one) ?? '');
    const most = one === newest ? Math.max(before - left, room * requestShare) : before - left;
    const text = excerptToCost(told, one, most);
    shown.set(one, text);
    left -= before - weighText(told, one, text);
  }
  return left;
}

/** The longest excerpt of a paste within the cost, or the shortest there is: head, tail, and how to read the whole. */
export function excerptToCost(told: Told, one: Typed, most: number): string {
  const excerpt = (chars: number): string => {
    const head = Math.round(chars * headShare);
    return excerptText(
      headAndTail(one.text, head, chars - head, (cut) => cutMark(cut, one.message, told.canRecall)),
      one.text,
    );
  };
  let fits = shortPasteChars;
  let over = Math.min(one.text.length, Math.max(fits + 1, Math.ceil(most * mostCharsPerToken)));
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (weighText(told, one, excerpt(middle)) <= most) fits = middle;
    else over = middle;
  }
  return excerpt(fits);
}

/** Tells texts of one shape once, by the newest; the oldest go first, and what holds a rule stays. Answers what is still over. */
export function foldAlike(told: Told, shown: Shown, over: number): number {
  let left = over;
  const newestOf = told.findAlike();
  const alike = new Map<Typed, number>();
  for (const one of told.typed) {
    if (left <= 0) break;
    const newest = newestOf.get(one);
    if (newest === undefined || newest === one || one === told.first || one.rules.length > 0) continue;
    if (!alike.has(newest)) left += told.cost(moreLikeNotice(told.typed.length));
    left -= weighText(told, one, shown.get(one) ?? '');
    alike.set(newest, (alike.get(newest) ?? 0) + one.times);
    shown.delete(one);
  }
  for (const [newest, count] of alike) shown.set(newest, `${shown.get(newest) ?? ''}${moreLikeNotice(count)}`);
  return left;
}
