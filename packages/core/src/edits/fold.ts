import type { FoldEdit } from '../ledger/edit.ts';
import { type Message, type MessageId, type Part, text } from '../message/message.ts';
import type { Look } from '../view/look.ts';
import type { Slot } from '../view/slot.ts';

/** How many transcript messages stand behind a run of slots, those hidden before included. */
export const countBehind = (from: Slot, to: Slot): number => to.last - from.first + 1;

/** A message that a layer makes; `standsFor` names the transcript messages whose place it takes. */
export function madeMessage(ref: string, standsFor: { from: MessageId; to: MessageId }, body: string): Message {
  return { id: `palimpsest/${ref}`, role: 'user', origin: 'palimpsest', parts: [text(body)], standsFor };
}

/** A fold over the slots `from` to `to`, with what stands there instead. */
export function foldOver(
  look: Look,
  from: Slot,
  to: Slot,
  ref: string,
  make: (standsFor: { from: MessageId; to: MessageId }) => readonly Message[],
): FoldEdit {
  const behind = look.behind(from, to);
  const standsFor = { from: behind[0]!.id, to: behind.at(-1)!.id };
  const shown = look.slots.filter(
    (slot) => slot.first >= from.first && slot.last <= to.last && slot.fold === undefined,
  );
  const bytes = shown.reduce((sum, slot) => sum + slot.bytes, 0);
  return { type: 'fold', ref, ...standsFor, hides: { messages: shown.length, bytes }, messages: make(standsFor) };
}

/** The user's own words in a message, as a message without anything else: what stays when its results must go. */
export function wordsAlone(message: Message): Message | undefined {
  if (message.origin !== 'human') return undefined;
  const parts: readonly Part[] = message.parts.filter((part) => part.type === 'text' || part.type === 'media');
  if (parts.length === 0) return undefined;
  if (parts.length === message.parts.length) return message;
  return { ...message, id: `${message.id}/words`, parts };
}
