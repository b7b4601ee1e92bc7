import type { Message, MessageId, TextPart } from '../message/message.ts';
import { listUserTexts, type UserText } from '../message/user-text.ts';
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

/** A longer text was pasted. */
const PASTE_CHARS = 2_000;

/**
 * The texts of a view that stay where they stand: the head, what users typed, and of each kind of a client's blocks the newest.
 * The head and the newest request stay whatever they take. The others have what these leave, or half of the room: first what was typed, then blocks,
 * then pastes, each newest first.
 */
export function findKeptText(slots: readonly Slot[], base: readonly Message[], rule: KeepRule): KeptText {
  const kept = new Map<number, Set<number>>();
  let used = 0;
  const keep = ({ place, part }: UserText, tokens: number): void => {
    used += tokens;
    kept.set(place, (kept.get(place) ?? new Set()).add(part));
  };
  const shown = listShown(slots, listUserTexts(base), rule.keepsUserText);
  const newest = shown.findLast(({ author, isHead }) => author === 'user' && !isHead)?.place;
  const others: ShownText[] = [];
  for (const one of shown) {
    if (one.isHead || one.place === newest) keep(one, rule.countText(one.shown));
    else others.unshift(one);
  }
  let left = Math.max(rule.room - used, rule.room / 2);
  const rank = ({ author, shown: text }: ShownText): number =>
    author === 'block' ? 1 : text.length > PASTE_CHARS ? 2 : 0;
  for (const one of others.sort((a, b) => rank(a) - rank(b))) {
    const tokens = rule.countText(one.shown);
    if (tokens > left) continue;
    left -= tokens;
    keep(one, tokens);
  }
  return kept;
}

/** A text, and what the view shows of it. */
export interface ShownText extends UserText {
  readonly slot: Slot;
  readonly shown: string;
}

/** The texts that may stay, in order: no tool's, and no block that a newer one replaces. */
export function listShown(slots: readonly Slot[], texts: readonly UserText[], keepsAll = true): readonly ShownText[] {
  const kinds = new Set<string>();
  const found: ShownText[] = [];
  for (const one of texts.toReversed()) {
    const slot = slots[findSlot(slots, one.place)];
    if (slot?.first !== one.place || slot.fold !== undefined || (!keepsAll && !one.isHead)) continue;
    const part = slot.message.parts.find((_, shown) => partIndex(slot, shown) === one.part);
    if (part?.type !== 'text' || (one.author === 'tool' && !one.isHead)) continue;
    const isOlder = one.kind !== undefined && kinds.has(one.kind);
    if (one.kind !== undefined) kinds.add(one.kind);
    if (!isOlder || one.isHead) found.push({ ...one, slot, shown: part.text });
  }
  return found.reverse();
}

/** The texts of users and clients that a view does not show as they were written, and why. */
export function findMissingText(
  slots: readonly Slot[],
  base: readonly Message[],
  keepsUserText: boolean,
): readonly MissingText[] {
  /** The newest text of each kind of block. */
  const newest = new Map<string, string>();
  const missing: MissingText[] = [];
  for (const found of listUserTexts(base).toReversed()) {
    const { message, place, part, kind, text } = found;
    const newer = kind === undefined ? undefined : newest.get(kind);
    if (kind !== undefined && newer === undefined) newest.set(kind, text);
    // It says the same, and is looked for where it stands.
    if (newer === text) continue;
    const slot = slots[findSlot(slots, place)];
    const isShown = slot !== undefined && slot.first === place && slot.fold === undefined;
    const edited = isShown ? slot.edited?.get(part) : null;
    if (edited === undefined || (edited as TextPart | null)?.text === text) continue;
    missing.push({
      message: message.id,
      part,
      reason: reasonFor(found, edited === null, newer !== undefined, keepsUserText),
    });
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
