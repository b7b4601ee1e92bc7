import { type CallPart, type Message, wordsOf } from '../message/message.ts';
import type { Slot } from './slot.ts';

/** Slots that can only be kept or hidden together: a message, an assistant's calls with all their results, a fold's messages. */
export interface Unit {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly tokens: number;
}

const hasCalls = (message: Message): boolean => message.role === 'assistant' && message.parts.some(isCall);
const hasResults = (message: Message): boolean => message.parts.some((part) => part.type === 'result');
const isCall = (part: { readonly type: string }): boolean => part.type === 'call';

/**
 * Splits a view where it may be cut. What the user typed between a call and its last result belongs to the round; calls
 * still in flight hold everything after them.
 */
export function unitsOf(slots: readonly Slot[]): readonly Unit[] {
  const units: Unit[] = [];
  let start = 0;
  while (start < slots.length) {
    let end = start + 1;
    const { fold } = slots[start]!;
    // What one fold made is one thing: a later fold takes all of it or none.
    if (fold !== undefined) while (end < slots.length && slots[end]!.fold === fold) end++;
    else if (hasCalls(slots[start]!.message)) {
      let reach = end;
      let answered = 0;
      while (reach < slots.length && slots[reach]!.message.role === 'user') {
        const results = slots[reach]!.message.parts.filter((part) => part.type === 'result').length;
        answered += results;
        reach++;
        if (results > 0) end = reach;
      }
      const calls = slots[start]!.message.parts.filter(isCall).length;
      if (answered < calls && reach === slots.length) end = reach;
    }
    // What was put behind a message goes where that message goes.
    while (slots[end]?.inserted === true) end++;
    let tokens = 0;
    for (let i = start; i < end; i++) tokens += slots[i]!.tokens;
    units.push({ start, end, tokens });
    start = end;
  }
  return units;
}

/** The slots at which turns start: messages that a human wrote. */
export const turnStarts = (slots: readonly Slot[]): readonly number[] =>
  slots.flatMap((slot, i) => (isWords(slot) ? [i] : []));

export const isWords = (slot: Slot): boolean => slot.message.origin === 'human' && wordsOf(slot.message).trim() !== '';

/** The slot index from which the last `count` turns run. */
export function lastTurns(slots: readonly Slot[], count: number): number {
  let left = count;
  for (let i = slots.length - 1; i >= 0; i--) if (isWords(slots[i]!) && --left <= 0) return i;
  return 0;
}

/** The call that a result in the slot answers: one of the assistant message before it. */
export function callFor(slots: readonly Slot[], at: number, callId: string): CallPart | undefined {
  for (let i = at - 1; i >= 0; i--) {
    const { message } = slots[i]!;
    if (message.role !== 'assistant') continue;
    return message.parts.find((part): part is CallPart => part.type === 'call' && part.callId === callId);
  }
  return undefined;
}

/** Whether consecutive slots belong to one group on the wire: all user messages between two assistant messages. */
export function groupAround(slots: readonly Slot[], at: number): { readonly start: number; readonly end: number } {
  let start = at;
  let end = at + 1;
  while (start > 0 && slots[start - 1]!.message.role === 'user') start--;
  while (end < slots.length && slots[end]!.message.role === 'user') end++;
  return { start, end };
}

/** Neighbours of one role as one message, for providers and chat templates that insist on alternation. */
export function alternating(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== message.role) merged.push(message);
    else
      merged[merged.length - 1] = {
        ...last,
        // Results first: a provider wants them at the start of the message that answers the calls.
        parts: [...last.parts, ...message.parts].sort((a, b) => rank(a.type) - rank(b.type)),
        standsFor: { from: last.standsFor?.from ?? last.id, to: message.standsFor?.to ?? message.id },
      };
  }
  return merged;
}

const rank = (type: string): number => (type === 'result' ? 0 : 1);

export { hasCalls, hasResults };
