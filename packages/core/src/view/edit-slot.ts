import { newBriefMemo } from '../brief-memo.ts';
import { excerptText, type PartEdit, type ReplaceEdit, type ShortenEdit } from '../ledger/edit.ts';
import {
  type CallPart,
  type ContentPart,
  type Message,
  type Part,
  partText,
  type ResultPart,
  type TextPart,
  text,
} from '../message/message.ts';
import { estimateMessage } from '../size/estimate-message.ts';
import { type Count, type Sizes, type Slot, weighMessage } from './slot.ts';

/** What an edit makes of one part; null: nothing is left of it. Frozen, like all that is handed out. */
function editPart(part: Part, edit: PartEdit): Part | null {
  if (edit.type === 'drop') return null;
  if (edit.type === 'shorten') return part.type === 'call' ? shortenCall(part, edit) : part;
  if (part.type !== 'result') return excerptPart(part, edit);
  if (edit.piece === undefined) return withContent(part, [excerptPart(part, edit)]);
  const piece = part.content[edit.piece];
  if (piece === undefined) return part;
  const replaced = excerptPart(piece, edit);
  return withContent(
    part,
    part.content.map((one, i) => (i === edit.piece ? replaced : one)),
  );
}

/** A signature stands for the call as it was made. */
const shortenCall = (part: CallPart, { input }: ShortenEdit): CallPart =>
  Object.freeze({ ...part, input, ...(part.signature === undefined ? {} : { signature: '' }) });

const excerptPart = (part: Part, { excerpt }: ReplaceEdit): TextPart =>
  Object.freeze(text(excerptText(excerpt, partText(part))));

const withContent = (part: ResultPart, content: ContentPart[]): ResultPart =>
  Object.freeze({ ...part, content: Object.freeze(content) });

type EditedParts = ReadonlyMap<number, Part | null>;

/** Later edits of a part replace earlier ones; those of the pieces of a result add up. */
function partAfter(original: Message, edited: EditedParts, edit: PartEdit): Part | null {
  const own = ownPart(original, edit);
  const addsUp = edit.type === 'replace' && edit.piece !== undefined;
  return editPart(addsUp ? (edited.get(edit.part) ?? own) : own, edit);
}

function ownPart(original: Message, edit: PartEdit): Part {
  const own = original.parts[edit.part];
  if (own === undefined) throw new Error(`edit ${edit.ref} names part ${edit.part}, which is not there`);
  return own;
}

/** The message with its edited parts, and the indexes of the parts that it still has. */
function showParts(original: Message, edited: EditedParts): { readonly message: Message; readonly indexes: number[] } {
  const parts: Part[] = [];
  const indexes: number[] = [];
  for (const [i, own] of original.parts.entries()) {
    const part = edited.get(i);
    if (part === null) continue;
    parts.push(part ?? own);
    indexes.push(i);
  }
  return { message: Object.freeze({ ...original, parts: Object.freeze(parts) }), indexes };
}

/** Whether an edit leaves something of the original in view: another piece of it, or a slice. */
const showsSome = (edit: PartEdit): boolean =>
  edit.type === 'replace' && (edit.piece !== undefined || edit.excerpt.some((piece) => typeof piece !== 'string'));

/** The slot after these edits of its parts. It is weighed once, however many they are. */
export function editSlot(slot: Slot, original: Message, edits: readonly PartEdit[], count: Count): Slot {
  const edited = new Map(slot.edited);
  const cut = new Set(slot.cut);
  for (const edit of edits) {
    edited.set(edit.part, partAfter(original, edited, edit));
    if (showsSome(edit)) cut.add(edit.part);
    else cut.delete(edit.part);
  }
  const { message, indexes } = showParts(original, edited);
  const shows = cut.size === 0 ? {} : { cut };
  const after = { ...weighMessage(message, count), first: slot.first, last: slot.last, edited, ...shows };
  return indexes.length === original.parts.length ? after : { ...after, partIndexes: indexes };
}

/** A slot on which edits are tried one by one, to see what each would free. The slot itself stays as it is. */
export interface SlotTrial {
  /** What the message takes after the edits taken so far. */
  readonly sizes: Sizes;
  /**
   * Takes the edits, all or none, where they leave a message that is smaller and not empty, or one with fewer images that is
   * no larger; says whether it did.
   */
  take(...edits: readonly PartEdit[]): boolean;
}

/** What parts take alone. They are frozen and many tries look at them, so each is weighed once; text weighs most of the time. */
const mostKnown = 20_000;
const alone = newBriefMemo<Part, Sizes>(mostKnown);
const emptySizes = weighMessage({ id: '', role: 'user', origin: 'human', parts: [] }, estimateMessage);

/** By the embedded estimate, in a message of its own. */
function weighAlone(part: Part | null): Sizes {
  if (part === null) return emptySizes;
  const known = alone.get(part);
  if (known !== undefined) return known;
  const { tokens, bytes, images } = weighMessage(
    { id: '', role: 'user', origin: 'human', parts: [part] },
    estimateMessage,
  );
  const sizes = { tokens, bytes, images };
  alone.set(part, sizes);
  return sizes;
}

/** Bytes and images add up over parts, and so does the embedded estimate: then only the part that changes is counted. */
export function tryEdits(slot: Slot, original: Message, count: Count): SlotTrial {
  const edited = new Map(slot.edited);
  let sizes: Sizes = slot;
  let shown = slot.message.parts.length;
  const addsUp = count === estimateMessage;
  // A message of one part has been weighed as it came.
  const weighOwn = (part: Part): Sizes =>
    addsUp && original.parts.length === 1 && slot.edited === undefined ? slot : weighAlone(part);
  return {
    get sizes() {
      return sizes;
    },
    take(...edits) {
      const undone: (readonly [number, Part | null | undefined])[] = [];
      let { tokens, bytes, images } = sizes;
      let left = shown;
      for (const edit of edits) {
        const part = partAfter(original, edited, edit);
        const was = edited.get(edit.part);
        const before = was === undefined ? weighOwn(ownPart(original, edit)) : weighAlone(was);
        const after = weighAlone(part);
        left += (part === null ? 0 : 1) - (was === null ? 0 : 1);
        if (addsUp) tokens += after.tokens - before.tokens;
        bytes += after.bytes - before.bytes;
        images += after.images - before.images;
        undone.push([edit.part, was]);
        edited.set(edit.part, part);
      }
      if (!addsUp && left > 0) tokens = count(showParts(original, edited).message);
      if (left === 0 || tokens > sizes.tokens || (tokens === sizes.tokens && images >= sizes.images)) {
        for (const [index, was] of undone.reverse()) {
          if (was === undefined) edited.delete(index);
          else edited.set(index, was);
        }
        return false;
      }
      shown = left;
      sizes = { tokens, bytes, images };
      return true;
    },
  };
}
