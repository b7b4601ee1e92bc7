import type { FoldEdit } from '../ledger/edit.ts';
import { type Message, type MessageId, text } from '../message/message.ts';
import { toWellFormed } from '../text.ts';
import type { Look } from '../view/look.ts';
import { nameMade } from '../view/reference.ts';
import type { Span } from '../view/units.ts';

/** The first and the last transcript message that a made message stands for. */
export interface StandsFor {
  readonly from: MessageId;
  readonly to: MessageId;
}

/** How many transcript messages stand behind a span, those hidden before included. */
export const countBehind = ({ first, last }: Pick<Span, 'first' | 'last'>): number => last.last - first.first + 1;

/** A message by Palimpsest itself, in the place of those it stands for. `ref` is the reference of the edit that shows it. */
export const makeMessage = (ref: string, standsFor: StandsFor | undefined, body: string): Message => ({
  id: nameMade(ref),
  role: 'user',
  origin: 'palimpsest',
  parts: [text(toWellFormed(body))],
  ...(standsFor === undefined ? {} : { standsFor }),
});

/**
 * The edit that hides a span of whole units (`unitsOf`, `joinUnits`) behind what `make` answers, mostly one
 * `makeMessage`; an empty list hides it without a word. `ref` comes from `look.ref`.
 */
export function foldSlots(
  look: Look,
  span: Span,
  ref: string,
  make: (standsFor: StandsFor) => readonly Message[],
): FoldEdit {
  const behind = look.behind(span.first, span.last);
  const [first, last] = [behind[0] ?? span.first.message, behind.at(-1) ?? span.last.message];
  const standsFor = { from: first.id, to: last.id };
  const hides = { messages: 0, bytes: 0 };
  for (const slot of span.slots) {
    if (slot.fold !== undefined) continue;
    hides.messages++;
    hides.bytes += slot.bytes;
  }
  return { type: 'fold', ref, ...standsFor, hides, messages: make(standsFor) };
}
