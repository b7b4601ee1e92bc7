import { type Draft, newDraft } from '../../edits/edit-batch.ts';
import { countBehind, foldOver, madeMessage, wordsAlone } from '../../edits/fold-slots.ts';
import { boundSlot } from '../../edits/shrink-message.ts';
import type { Edit, FoldEdit } from '../../ledger/edit.ts';
import { type Message, text } from '../../message/message.ts';
import { collapsedFrame, dropped, shortCutMark } from '../../notices.ts';
import { bytesOf, imagesIn } from '../../size/estimate-message.ts';
import type { Look } from '../../view/look.ts';
import { isWords, type Unit, unitsOf } from '../../view/units.ts';

/** A unit of the view as the floor sees it: what it weighs, and what must outlive it. */
export interface Piece extends Unit {
  readonly rank: 'round' | 'summary' | 'words' | 'pin' | 'newest';
  /** The user's words inside a round, which stay when the round goes. */
  readonly words: readonly Message[];
}

/** Per hidden piece: what still shows of it. The user's words in a round, a summary in brief, or nothing. */
export type Hidden = ReadonlyMap<Piece, readonly Message[]>;

/** What the messages may take. */
export interface Room {
  readonly tokens: number;
  readonly bytes: number;
  readonly images: number;
  readonly messages: number;
}

interface Totals {
  tokens: number;
  bytes: number;
  images: number;
  messages: number;
}

const totalsOf = (messages: readonly Message[], look: Look): Totals => ({
  tokens: messages.reduce((sum, message) => sum + look.count(message), 0),
  bytes: messages.reduce((sum, message) => sum + bytesOf(message), 0),
  images: messages.reduce((sum, message) => sum + imagesIn(message), 0),
  messages: messages.length,
});

function viewTotals(look: Look, start: number, end: number): Totals {
  const totals: Totals = { tokens: 0, bytes: 0, images: 0, messages: end - start };
  for (let at = start; at < end; at++) {
    const { tokens, bytes, images } = look.slots[at]!;
    totals.tokens += tokens;
    totals.bytes += bytes;
    totals.images += images;
  }
  return totals;
}

/** The room is what the whole view takes now, less what must go; a measure without pressure has no bound. */
export function roomOf(look: Look): Room {
  const now = viewTotals(look, 0, look.slots.length);
  const bound = (value: number, over: number): number => (over > 0 ? value - over : Infinity);
  return {
    tokens: Math.max(0, look.over.tokens > 0 ? now.tokens - look.over.tokens : now.tokens),
    bytes: bound(now.bytes, look.over.bytes),
    images: bound(now.images, look.over.images),
    messages: bound(now.messages, look.over.messages),
  };
}

export function piecesOf(look: Look): readonly Piece[] {
  const units = unitsOf(look.slots);
  return units.map((unit, i): Piece => {
    const slots = look.slots.slice(unit.start, unit.end);
    const words = slots.flatMap((slot) => wordsAlone(slot.message) ?? []);
    const plain = slots.length === 1 && isWords(slots[0]!) && words[0] === slots[0]!.message;
    if (i === units.length - 1) return { ...unit, rank: 'newest', words };
    if (slots.some((slot) => look.isPinned(slot.message.id))) return { ...unit, rank: 'pin', words };
    if (slots.some((slot) => slot.summary !== undefined)) return { ...unit, rank: 'summary', words };
    return plain ? { ...unit, rank: 'words', words: [] } : { ...unit, rank: 'round', words };
  });
}

/** The folds that hide these pieces. One notice, at the first gap, tells of all; a notice that costs more than it saves stays away. */
export function foldsFor(look: Look, pieces: readonly Piece[], hidden: Hidden, cut: Draft): readonly FoldEdit[] {
  const gaps = gapsOf(pieces, hidden);
  const refs = gaps.map((_, i) => look.ref(cut.edits.length + i));
  const count = gaps.reduce(
    (sum, gap) => sum + countBehind(look.slots[gap[0]!.start]!, look.slots[gap.at(-1)!.end - 1]!),
    0,
  );
  const reference = refs.length > 1 ? `${refs[0]} to ${refs.at(-1)}` : (refs[0] ?? '');
  return gaps.map((gap, i) => {
    const shown = gap.flatMap((piece) => hidden.get(piece) ?? []);
    const from = look.slots[gap[0]!.start]!;
    const to = look.slots[gap.at(-1)!.end - 1]!;
    const brief = gap.find((piece) => piece.rank === 'summary' && (hidden.get(piece)?.length ?? 0) > 0);
    const fold = foldOver(look, from, to, refs[i]!, (standsFor) => {
      if (i > 0) return shown;
      const saved = [...hidden.keys()].reduce((sum, piece) => sum + piece.tokens, 0);
      const kept = shown.reduce((sum, message) => sum + look.count(message), 0);
      const notices = [dropped(count, reference), shortCutMark(reference)].map((body) =>
        madeMessage(refs[0]!, standsFor, body),
      );
      const notice = notices.find((one) => look.count(one) < saved - kept);
      return notice === undefined ? shown : [notice, ...shown];
    });
    const mark = brief === undefined ? undefined : look.slots[brief.start]!.summary;
    return mark === undefined ? fold : { ...fold, summary: mark };
  });
}

/** A summary that does not fit gives way to a digest that does: the rules in it must not go as long as anything is kept. */
export function inBrief(look: Look, piece: Piece, tokens: number): readonly Message[] {
  const slot = look.slots[piece.start]!;
  const frame = collapsedFrame(countBehind(slot, slot), slot.fold!);
  const room = tokens - look.countText(frame) - 8;
  if (room < 32) return [];
  const made = madeMessage(slot.fold!, slot.message.standsFor!, frame);
  const { text: body } = look.digest(slot.first, slot.last, room);
  return body === '' ? [] : [{ ...made, parts: [...made.parts, text(body)] }];
}

function gapsOf(pieces: readonly Piece[], hidden: Hidden): readonly (readonly Piece[])[] {
  const gaps: Piece[][] = [];
  let open: Piece[] | undefined;
  for (const piece of pieces) {
    if (!hidden.has(piece)) open = undefined;
    else if (open !== undefined) open.push(piece);
    else {
      open = [piece];
      gaps.push(open);
    }
  }
  return gaps;
}

/** Whether the view with these pieces hidden and those cuts made is within the room, and may start as it would. */
export function fits(look: Look, pieces: readonly Piece[], hidden: Hidden, cut: Draft, room: Room): boolean {
  const totals: Totals = { tokens: -cut.freedTokens, bytes: -cut.freedBytes, images: -cut.freedImages, messages: 0 };
  const add = (more: Totals): void => {
    for (const key of ['tokens', 'bytes', 'images', 'messages'] as const) totals[key] += more[key];
  };
  const folds = foldsFor(look, pieces, hidden, cut);
  for (const piece of pieces) if (!hidden.has(piece)) add(viewTotals(look, piece.start, piece.end));
  for (const fold of folds) add(totalsOf(fold.messages, look));
  const startsHidden = pieces.length > 0 && hidden.has(pieces[0]!);
  const first = startsHidden ? folds[0]!.messages[0] : look.slots[0]!.message;
  const second = pieces.find((piece) => !hidden.has(piece));
  const opening =
    first ??
    folds.find((fold) => fold.messages.length > 0)?.messages[0] ??
    (second && look.slots[second.start]!.message);
  return (
    opening !== undefined &&
    (opening.role === 'user' || !startsHidden) &&
    totals.tokens <= room.tokens &&
    totals.bytes <= room.bytes &&
    totals.images <= room.images &&
    totals.messages <= room.messages
  );
}

/** One thing is left: the newest words, else a notice; with a call in flight also that, since its result will come. */
export function lastResort(look: Look, room: Room): readonly Edit[] {
  const pieces = piecesOf(look);
  const newest = pieces.at(-1)!;
  const words = pieces.findLast(
    (piece) =>
      piece.end - piece.start === 1 && look.slots[piece.start]!.fold === undefined && isWords(look.slots[piece.start]!),
  );
  const kept = look.hasOpenCalls
    ? [...(words === undefined || words === newest ? [] : [words]), newest]
    : words === undefined
      ? []
      : [words];
  if (kept.length === 0) return everythingBehind(look, pieces);
  const hidden: Hidden = new Map(pieces.filter((piece) => !kept.includes(piece)).map((piece) => [piece, []]));
  const draft = squeezed(look, kept, room.tokens);
  const told = foldsFor(look, pieces, hidden, draft);
  const opensItself = look.slots[kept[0]!.start]!.message.role === 'user';
  if (opensItself) {
    // Words may open a view; the notice is worth its tokens only where there is room.
    const folds = fits(look, pieces, hidden, draft, room) ? told : told.map((fold) => ({ ...fold, messages: [] }));
    return [...draft.edits, ...folds];
  }
  // A call may not open a view: without a notice that pays, what stands before it stays, and all is cut instead.
  if (told.some((fold) => fold.messages.length > 0) || hidden.size === 0) return [...draft.edits, ...told];
  return squeezed(look, pieces, room.tokens).edits;
}

/** Cuts every message of the pieces ever shorter until they fit together, or until there is nothing left to cut. */
function squeezed(look: Look, pieces: readonly Piece[], tokens: number): Draft {
  const ats = pieces.flatMap((piece) => Array.from({ length: piece.end - piece.start }, (_, i) => piece.start + i));
  const before = ats.reduce((sum, at) => sum + look.slots[at]!.tokens, 0);
  for (let share = 1; ; share *= 0.7) {
    const draft = newDraft(look);
    const each = Math.floor((tokens / Math.max(1, ats.length)) * share);
    for (const at of ats) boundSlot(look, draft, at, Math.max(1, each));
    if (before - draft.freedTokens <= tokens || each <= 1) return draft;
  }
}

function everythingBehind(look: Look, pieces: readonly Piece[]): readonly Edit[] {
  const ref = look.ref(0);
  const from = look.slots[0]!;
  const to = look.slots.at(-1)!;
  const count = countBehind(from, to);
  const fold = foldOver(look, from, to, ref, (standsFor) => [madeMessage(ref, standsFor, dropped(count, ref))]);
  const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  return look.count(fold.messages[0]!) < tokens ? [fold] : [];
}
