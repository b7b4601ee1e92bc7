import { excerptText, type PartEdit, type SummaryMark } from '../ledger/edit.ts';
import { type Message, type Part, partText, text } from '../message/message.ts';
import { bytesOf, imagesIn } from '../size/estimate-message.ts';

/** One message of the view, and where in the transcript it comes from. */
export interface Slot {
  readonly message: Message;
  readonly tokens: number;
  readonly bytes: number;
  readonly images: number;
  /** The transcript positions it stands for, both inclusive; the same number twice for a message shown as it is. */
  readonly first: number;
  readonly last: number;
  /** Set where a fold made the message: the fold's reference. */
  readonly fold?: string;
  readonly summary?: SummaryMark;
  /** Put behind the transcript message at this place; it comes and goes with it. */
  readonly inserted?: true;
  /** Parts that an edit touched, by their place in the transcript's message; null where a part was dropped. */
  readonly edited?: ReadonlyMap<number, Part | null>;
  /** Present when parts were dropped: the place in the transcript's message of each part still shown. */
  readonly places?: readonly number[];
}

/** A shown part's place in the transcript's own message: what edits name. */
export const placeOf = (slot: Slot, shown: number): number => (slot.places === undefined ? shown : slot.places[shown]!);

export const isEdited = (slot: Slot, place: number): boolean => slot.edited?.has(place) === true;

/** What an edit makes of one original part; null: nothing is left of it. */
export function editedPart(original: Part, edit: PartEdit): Part | null {
  if (edit.type === 'drop') return null;
  if (edit.type === 'shorten') return original.type === 'call' ? { ...original, input: edit.input } : original;
  if (original.type !== 'result') return text(excerptText(edit.excerpt, partText(original)));
  if (edit.piece === undefined) return { ...original, content: [text(excerptText(edit.excerpt, partText(original)))] };
  const piece = original.content[edit.piece];
  if (piece === undefined) return original;
  const replaced = text(excerptText(edit.excerpt, partText(piece)));
  return { ...original, content: original.content.map((one, i) => (i === edit.piece ? replaced : one)) };
}

/** The slot after one more part edit. Later edits of a part replace earlier ones; pieces of a result add up. */
export function editSlot(slot: Slot, original: Message, edit: PartEdit, count: Count): Slot {
  const edited = new Map(slot.edited);
  const before = edited.get(edit.part) ?? original.parts[edit.part]!;
  const addsUp = edit.type === 'replace' && edit.piece !== undefined;
  edited.set(edit.part, editedPart(addsUp ? before : original.parts[edit.part]!, edit));
  const parts: Part[] = [];
  const places: number[] = [];
  for (const [i, part] of original.parts.entries()) {
    const now = edited.has(i) ? edited.get(i)! : part;
    if (now === null) continue;
    parts.push(now);
    places.push(i);
  }
  const message = { ...original, parts };
  const base = { ...weighed(message, count), first: slot.first, last: slot.last, edited };
  return places.length === original.parts.length ? base : { ...base, places };
}

/** Tokens of a message, by whatever counter the host has. */
export type Count = (message: Message) => number;

/** A message with its sizes, counted once. */
export const weighed = (message: Message, count: Count): Pick<Slot, 'message' | 'tokens' | 'bytes' | 'images'> => ({
  message,
  tokens: count(message),
  bytes: bytesOf(message),
  images: imagesIn(message),
});
