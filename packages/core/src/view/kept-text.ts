import type { Message, MessageId, TextPart } from '../message/message.ts';
import { findHeadEnd, listUserTexts, readUserTexts, type UserText } from '../message/user-text.ts';
import { partIndex, type Slot } from './slot.ts';
import { findSlot } from './slot-list.ts';

/** A text of the user or the client that a view does not show as it was written. The message's id reads it back: `recall.read(message)`. */
export interface MissingText {
  readonly message: MessageId;
  /** Its index in the message's parts. */
  readonly part: number;
  /**
   * `shortened`: head and tail stand in the view. `replaced`: the client has written a newer block of the same kind. `tool-output`:
   * a tool printed it. `folded`: the preset folds what users write, or an earlier version did. `no-room`: there was no room for it.
   */
  readonly reason: 'shortened' | 'replaced' | 'tool-output' | 'folded' | 'no-room';
}

/** What a view may keep of the users' texts. */
export interface KeepRule {
  /** False: presets that fold what users write. The head stays in any case. */
  readonly keepsUserText: boolean;
  /** Tokens that all of them may take together. */
  readonly room: number;
  readonly countText: (text: string) => number;
}

/** By the places of their messages: the indexes of the text parts that no fold takes. */
export type KeptText = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * The texts of a view that stay where they stand: the head, what users typed, and of each kind of a client's blocks the newest.
 * Where they have no room together old blocks go first, then what was typed long ago; the head and the newest message stay.
 */
export function findKeptText(slots: readonly Slot[], base: readonly Message[], rule: KeepRule): KeptText {
  const kept = new Map<number, Set<number>>();
  const headEnd = findHeadEnd(base);
  const kinds = new Set<string>();
  const older: UserText[] = [];
  const blocks: UserText[] = [];
  let left = rule.room;
  let newest: number | undefined;
  const keep = ({ place, part, text }: UserText): void => {
    left -= rule.countText(text);
    kept.set(place, (kept.get(place) ?? new Set()).add(part));
  };
  for (let i = slots.length - 1; i >= 0; i--) {
    const slot = slots[i];
    if (slot === undefined || slot.fold !== undefined) continue;
    if (!rule.keepsUserText && slot.first >= headEnd) continue;
    for (const found of readUserTexts(base, slot.first, headEnd)) {
      const shown = slot.message.parts.findIndex((_, at) => partIndex(slot, at) === found.part);
      const part = slot.message.parts[shown];
      if (part?.type !== 'text' || (found.author === 'tool' && !found.isHead)) continue;
      const isOlder = found.kind !== undefined && kinds.has(found.kind);
      if (found.kind !== undefined) kinds.add(found.kind);
      const one = { ...found, text: part.text };
      if (found.author === 'user') newest ??= found.place;
      if (found.isHead || found.place === newest) keep(one);
      else if (!isOlder) (found.author === 'user' ? older : blocks).push(one);
    }
  }
  for (const one of [...older, ...blocks]) {
    if (left <= 0) break;
    keep(one);
  }
  return kept;
}

/** The texts of users and clients that a view does not show as they were written, and why. */
export function findMissingText(
  slots: readonly Slot[],
  base: readonly Message[],
  keepsUserText: boolean,
): readonly MissingText[] {
  const kinds = new Set<string>();
  const missing: MissingText[] = [];
  for (const found of listUserTexts(base).toReversed()) {
    const { message, place, part, kind } = found;
    const isOlder = kind !== undefined && kinds.has(kind);
    if (kind !== undefined) kinds.add(kind);
    const slot = slots[findSlot(slots, place)];
    const isShown = slot !== undefined && slot.first === place && slot.fold === undefined;
    const edited = isShown ? slot.edited?.get(part) : null;
    if (edited === undefined || (edited as TextPart | null)?.text === found.text) continue;
    missing.push({ message: message.id, part, reason: reasonFor(found, edited === null, isOlder, keepsUserText) });
  }
  return missing.reverse();
}

function reasonFor(
  { author, isHead }: UserText,
  isHidden: boolean,
  isOlder: boolean,
  keepsUserText: boolean,
): MissingText['reason'] {
  if (!isHidden) return 'shortened';
  if (author === 'tool') return 'tool-output';
  if (isOlder) return 'replaced';
  return keepsUserText || isHead ? 'no-room' : 'folded';
}
