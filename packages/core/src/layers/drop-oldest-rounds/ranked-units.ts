import { countBehind, keepWords, makeMessage } from '../../edits/fold-slots.ts';
import { type Message, text } from '../../message/message.ts';
import { collapsedFrame, snippedWordsNotice } from '../../notices.ts';
import type { Look } from '../../view/look.ts';
import type { Slot } from '../../view/slot.ts';
import { isWords } from '../../view/turns.ts';
import { type Unit, unitsOf } from '../../view/units.ts';

/** A unit of the view as the floor sees it: how soon it may go, and what must outlive it. */
export interface RankedUnit extends Unit {
  readonly rank: 'round' | 'summary' | 'words' | 'pin' | 'newest';
  /** The user's words inside a round, which stay when the round goes. */
  readonly words: readonly Message[];
  /** Whether the unit is words of the user and nothing else. */
  readonly isWords: boolean;
}

/** Per hidden unit: what still shows of it. The user's words in a round, a summary in brief, or nothing. */
export type Hidden = ReadonlyMap<RankedUnit, readonly Message[]>;

export function rankUnits(look: Look): readonly RankedUnit[] {
  const units = unitsOf(look.slots);
  // Where images or bytes are what is too much, words are kept without their pictures.
  const bare = look.over.images > 0 || look.over.bytes > 0;
  return units.map((unit, i): RankedUnit => {
    const words = unit.slots.flatMap((slot) => keepWords(look, slot.message) ?? []);
    const isPlain = unit.slots.length === 1 && isWords(unit.first) && words[0] === unit.first.message;
    const ranked = { ...unit, words: bare ? words.flatMap((message) => dropMedia(message) ?? []) : words };
    // What was put behind words (carried files, a hook's) goes before them.
    if (isWords(unit.first) && words.length > 0 && unit.slots.slice(1).some((slot) => slot.inserted === true))
      return { ...ranked, rank: 'round', isWords: false };
    if (unit.slots.some((slot) => slot.summary !== undefined)) return { ...ranked, rank: 'summary', isWords: false };
    if (i === units.length - 1) return { ...ranked, rank: 'newest', isWords: isPlain };
    if (unit.slots.some((slot) => look.isPinned(slot.message.id))) return { ...ranked, rank: 'pin', isWords: isPlain };
    return isPlain
      ? { ...unit, rank: 'words', words: [], isWords: true }
      : { ...ranked, rank: 'round', isWords: false };
  });
}

function dropMedia(message: Message): Message | undefined {
  const parts = message.parts.filter((part) => part.type !== 'media');
  if (parts.length === message.parts.length) return message;
  const id = message.id.endsWith('/words') ? message.id : `${message.id}/words`;
  return parts.length === 0 ? undefined : { ...message, id, parts };
}

/** What still shows of rounds that go: the user's words in them. */
export const hideToWords = (units: readonly RankedUnit[]): Hidden => new Map(units.map((unit) => [unit, unit.words]));

/** The user's newest request: its words are the last to be cut, and never go before all others. */
export function findRequest(units: readonly RankedUnit[]): RankedUnit | undefined {
  const newest = units.at(-1);
  if (newest?.isWords === true) return newest;
  return units.findLast((unit) => unit.isWords);
}

/** Whether the user asked for or forbade something in these words: they outlive pins. */
export const holdsRule = (look: Look, { first, last }: RankedUnit): boolean =>
  look.digest(first.first, last.last, LEAST_DIGEST).evidence.constraints.length > 0;

/** What is left of a summary, before it goes whole, for the newest request and the rules in it. */
export const SCRAPS_TOKENS = 64;

/** A digest below this says too little: then it is the user's words that have the room. */
export const LEAST_DIGEST = 96;

/**
 * A summary that does not fit gives way to a digest that does: the rules in it must not go as long as anything is kept. For
 * the user's words it may take `upTo`.
 */
export function digestSummary(
  look: Look,
  { first: slot, reach }: RankedUnit,
  tokens: number,
  upTo: number,
): readonly Message[] {
  if (slot.fold === undefined) return [];
  const frame = collapsedFrame(countBehind({ first: slot, last: slot }), slot.fold, look.given.canRecall);
  const around = look.given.countText(frame) + 8;
  if (tokens - around < LEAST_DIGEST) return keepBareWords(look, slot, reach, Math.max(tokens, upTo));
  const made = makeMessage(slot.fold, slot.message.standsFor, frame);
  const { text: body } = look.digest(slot.first, reach, tokens - around, upTo - around);
  return body === '' ? [] : [{ ...made, parts: [...made.parts, text(body)] }];
}

function keepBareWords(
  look: Look,
  { fold = '', first, message }: Slot,
  last: number,
  tokens: number,
): readonly Message[] {
  const room = tokens - look.given.countText(snippedWordsNotice) - 8;
  const words = room < 8 ? '' : look.words(first, last, room);
  return words === '' ? [] : [makeMessage(fold, message.standsFor, `${snippedWordsNotice}\n${words}`)];
}
