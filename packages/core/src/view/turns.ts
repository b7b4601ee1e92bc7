import { type Message, wordsOf } from '../message/message.ts';
import type { Slot } from './slot.ts';

/** Whether a human's words stand in the slot: a turn starts there. */
export const isWords = (slot: Slot): boolean => slot.message.origin === 'human' && wordsOf(slot.message).trim() !== '';

/** The slots at which turns start. */
export const turnStarts = (slots: readonly Slot[]): readonly number[] =>
  slots.flatMap((slot, i) => (isWords(slot) ? [i] : []));

/** The slot index from which the last `count` turns run. */
export function lastTurns(slots: readonly Slot[], count: number): number {
  let left = count;
  const start = slots.findLastIndex((slot) => isWords(slot) && --left <= 0);
  return Math.max(0, start);
}

/** The group on the wire that a slot belongs to: all user messages between two assistant messages. */
export function groupAround(slots: readonly Slot[], at: number): { readonly start: number; readonly end: number } {
  let start = at;
  let end = at + 1;
  while (slots[start - 1]?.message.role === 'user') start--;
  while (slots[end]?.message.role === 'user') end++;
  return { start, end };
}

/** Neighbours of one role as one message, for providers and chat templates that insist on alternation. */
export function mergeNeighbours(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== message.role) merged.push(message);
    else
      merged[merged.length - 1] = {
        ...last,
        // Results first: a provider wants them at the start of the message that answers the calls.
        parts: [...last.parts, ...message.parts].sort((a, b) => rankPart(a.type) - rankPart(b.type)),
        standsFor: { from: last.standsFor?.from ?? last.id, to: message.standsFor?.to ?? message.id },
      };
  }
  return merged;
}

const rankPart = (type: string): number => (type === 'result' ? 0 : 1);
