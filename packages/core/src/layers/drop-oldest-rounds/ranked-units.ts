import { countBehind, keepWords, makeMessage } from '../../edits/fold-slots.ts';
import { type Message, text } from '../../message/message.ts';
import { collapsedFrame } from '../../notices.ts';
import type { Look } from '../../view/look.ts';
import { isWords } from '../../view/turns.ts';
import { type Unit, unitsOf } from '../../view/units.ts';

/** A unit of the view as the floor sees it: how soon it may go, and what must outlive it. */
export interface RankedUnit extends Unit {
  readonly rank: 'round' | 'summary' | 'words' | 'pin' | 'newest';
  /** The user's words inside a round, which stay when the round goes. */
  readonly words: readonly Message[];
}

/** Per hidden unit: what still shows of it. The user's words in a round, a summary in brief, or nothing. */
export type Hidden = ReadonlyMap<RankedUnit, readonly Message[]>;

export function rankUnits(look: Look): readonly RankedUnit[] {
  const units = unitsOf(look.slots);
  return units.map((unit, i): RankedUnit => {
    const words = unit.slots.flatMap((slot) => keepWords(look, slot.message) ?? []);
    if (i === units.length - 1) return { ...unit, rank: 'newest', words };
    if (unit.slots.some((slot) => look.isPinned(slot.message.id))) return { ...unit, rank: 'pin', words };
    if (unit.slots.some((slot) => slot.summary !== undefined)) return { ...unit, rank: 'summary', words };
    const plain = unit.slots.length === 1 && isWords(unit.first) && words[0] === unit.first.message;
    return plain ? { ...unit, rank: 'words', words: [] } : { ...unit, rank: 'round', words };
  });
}

/** A summary that does not fit gives way to a digest that does: the rules in it must not go as long as anything is kept. */
export function digestSummary(look: Look, { first: slot }: RankedUnit, tokens: number): readonly Message[] {
  if (slot.fold === undefined) return [];
  const frame = collapsedFrame(countBehind({ first: slot, last: slot }), slot.fold);
  const room = tokens - look.given.countText(frame) - 8;
  if (room < 32) return [];
  const made = makeMessage(slot.fold, slot.message.standsFor, frame);
  const { text: body } = look.digest(slot.first, slot.last, room);
  return body === '' ? [] : [{ ...made, parts: [...made.parts, text(body)] }];
}
