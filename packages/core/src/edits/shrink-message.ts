import { headAndTail } from '../ledger/excerpt.ts';
import { type Json, type Part, partText } from '../message/message.ts';
import { cutMark, mediaRemovedNotice, shortCutMark } from '../notices.ts';
import { cutHead } from '../text.ts';
import { tryEdits } from '../view/edit-slot.ts';
import type { Look } from '../view/look.ts';
import { partIndex, type Slot } from '../view/slot.ts';
import type { EditBatch, MakePartEdit } from './edit-batch.ts';

/**
 * Brings one message down to at most `allowed` tokens where that can be done: texts and results keep head and tail around
 * a pointer, arguments keep their shape, reasoning goes whole, pictures leave markers. What is kept is the most that fits.
 */
export type ShrinkMessage = (batch: EditBatch, slot: Slot, allowed: number) => void;

/** For the attempts of one decision: what a message would take at a length is counted once for all of them. */
export function newShrink(look: Look): ShrinkMessage {
  const counted = new Map<Slot, Map<number, number>>();
  const tokensAt = (slot: Slot, chars: number): number => {
    const known = counted.get(slot) ?? new Map<number, number>();
    counted.set(slot, known);
    const tokens = known.get(chars) ?? shrunkTokens(look, slot, chars);
    known.set(chars, tokens);
    return tokens;
  };
  return (batch, slot, allowed) => {
    if (slot.tokens <= allowed || slot.fold !== undefined) return;
    let low = 0;
    let high = slot.message.parts.reduce((most, part) => Math.max(most, partText(part).length), -Infinity);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (tokensAt(slot, middle) <= allowed) low = middle;
      else high = middle - 1;
    }
    for (const make of shrinkParts(slot, low)) batch.add(slot, make);
  };
}

/** What the message would take if each of its parts kept so many characters. */
function shrunkTokens(look: Look, slot: Slot, chars: number): number {
  const original = look.original(slot);
  const trial = tryEdits(slot, original, look.count);
  for (const make of shrinkParts(slot, chars)) trial.take(make(look.ref(0), original.id));
  return trial.sizes.tokens;
}

const shrinkParts = (slot: Slot, chars: number): readonly MakePartEdit[] =>
  slot.message.parts.flatMap((part, shown) => shrinkPart(part, partIndex(slot, shown), chars) ?? []);

/** Parts shorter than this get the short mark, and pictures give way too. */
const SMALL = 400;

function shrinkPart(part: Part, index: number, chars: number): MakePartEdit | undefined {
  switch (part.type) {
    case 'native':
      return undefined;
    case 'reasoning':
      return chars >= part.text.length ? undefined : (ref, message) => ({ type: 'drop', ref, message, part: index });
    case 'media':
      return chars >= SMALL
        ? undefined
        : (ref, message) => ({
            type: 'replace',
            ref,
            message,
            part: index,
            excerpt: [mediaRemovedNotice(partText(part), ref)],
          });
    case 'call':
      return JSON.stringify(part.input).length <= chars
        ? undefined
        : (ref, message) => ({
            type: 'shorten',
            ref,
            message,
            part: index,
            input: shrinkInput(part.input, chars, ref),
          });
    default:
      return shrinkText(partText(part), index, chars);
  }
}

function shrinkText(source: string, index: number, chars: number): MakePartEdit | undefined {
  if (source.length <= chars) return undefined;
  const half = Math.floor(chars / 2);
  return (ref, message) => ({
    type: 'replace',
    ref,
    message,
    part: index,
    excerpt: headAndTail(source, half, half, (gone) => (chars < SMALL ? shortCutMark(ref) : cutMark(gone, ref))),
  });
}

/** Arguments with their long strings cut; if that is not enough, only a pointer is left. */
function shrinkInput(input: Json, chars: number, ref: string): Json {
  const shrink = (value: Json): Json => {
    if (typeof value === 'string')
      return value.length <= chars ? value : `${cutHead(value, Math.floor(chars / 2))}${shortCutMark(ref)}`;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(shrink);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shrink(one)]));
  };
  const shaped = shrink(input);
  return JSON.stringify(shaped).length <= Math.max(chars * 4, 64) ? shaped : { hidden: ref };
}
