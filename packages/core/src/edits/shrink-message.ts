import type { PartEdit } from '../ledger/edit.ts';
import { headAndTail } from '../ledger/excerpt.ts';
import { type Json, type MessageId, type Part, partText } from '../message/message.ts';
import { cutMark, mediaRemoved, shortCutMark } from '../notices.ts';
import type { Look } from '../view/look.ts';
import { editSlot, placeOf, type Slot } from '../view/slot.ts';
import type { Draft } from './edit-batch.ts';

/**
 * Brings one message down to at most `allowed` tokens where that can be done: texts and results keep head and tail around
 * a pointer, arguments keep their shape, reasoning goes whole, pictures leave markers. The largest cut that fits is taken.
 */
export function boundSlot(look: Look, draft: Draft, at: number, allowed: number): void {
  const slot = look.slots[at]!;
  if (slot.tokens <= allowed || slot.fold !== undefined) return;
  let low = 0;
  let high = Math.max(...slot.message.parts.map((part) => partText(part).length));
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (boundTokens(look, slot, middle) <= allowed) low = middle;
    else high = middle - 1;
  }
  slot.message.parts.forEach((part, shown) => {
    const make = boundPart(part, placeOf(slot, shown), low);
    if (make !== undefined) draft.add(at, make);
  });
}

function boundTokens(look: Look, slot: Slot, chars: number): number {
  const original = look.original(slot);
  let bounded = slot;
  slot.message.parts.forEach((part, shown) => {
    const make = boundPart(part, placeOf(slot, shown), chars);
    if (make === undefined) return;
    const after = editSlot(bounded, original, make(look.ref(0), original.id), look.count);
    if (after.tokens < bounded.tokens && after.message.parts.length > 0) bounded = after;
  });
  return bounded.tokens;
}

/** Cuts shorter than this get the short mark, and pictures give way too. */
const SMALL = 400;

function boundPart(
  part: Part,
  place: number,
  chars: number,
): ((ref: string, message: MessageId) => PartEdit) | undefined {
  const mark = (cut: number, ref: string): string => (chars < SMALL ? shortCutMark(ref) : cutMark(cut, ref));
  if (part.type === 'reasoning')
    return chars >= part.text.length ? undefined : (ref, message) => ({ type: 'drop', ref, message, part: place });
  if (part.type === 'native') return undefined;
  if (part.type === 'media')
    return chars >= SMALL
      ? undefined
      : (ref, message) => ({
          type: 'replace',
          ref,
          message,
          part: place,
          excerpt: [mediaRemoved(partText(part), ref)],
        });
  if (part.type === 'call')
    return JSON.stringify(part.input).length <= chars
      ? undefined
      : (ref, message) => ({ type: 'shorten', ref, message, part: place, input: boundInput(part.input, chars, ref) });
  return boundText(partText(part), place, chars, mark);
}

function boundText(source: string, place: number, chars: number, mark: (cut: number, ref: string) => string) {
  if (source.length <= chars) return undefined;
  const half = Math.floor(chars / 2);
  return (ref: string, message: MessageId): PartEdit => ({
    type: 'replace',
    ref,
    message,
    part: place,
    excerpt: headAndTail(source, half, half, (cut) => mark(cut, ref)),
  });
}

/** Arguments with their long strings cut; if that is not enough, only a pointer is left. */
function boundInput(input: Json, chars: number, ref: string): Json {
  const cut = (value: Json): Json => {
    if (typeof value === 'string')
      return value.length <= chars ? value : `${value.slice(0, Math.floor(chars / 2))}${shortCutMark(ref)}`;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(cut);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cut(one)]));
  };
  const shaped = cut(input);
  return JSON.stringify(shaped).length <= Math.max(chars * 4, 64) ? shaped : { hidden: ref };
}
