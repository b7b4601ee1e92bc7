import { countBehind, makeMessage } from '../../edits/fold-slots.ts';
import { type Hiding, isPinned, splitAround } from '../../edits/hide-around.ts';
import { type Message, text } from '../../message/message.ts';
import { collapsedFrame } from '../../notices.ts';
import type { Look } from '../../view/look.ts';
import { type Unit, unitsOf } from '../../view/units.ts';

/** A unit of the view as the floor sees it: how soon it may go, and what stays when it goes. */
export interface RankedUnit extends Unit {
  readonly rank: 'round' | 'summary' | 'text' | 'pin' | 'newest';
  /** What of it goes, where the text of users and clients stays. */
  readonly hiding: Hiding;
  /** Whether it is such text and nothing else, but for what was put behind it. */
  readonly isText: boolean;
}

/** What still shows of a hidden unit besides text that stays: a summary in brief, or nothing. */
export interface HiddenAs {
  readonly shown: readonly Message[];
  /** Its text goes as well. */
  readonly isWhole?: true;
}

export type Hidden = ReadonlyMap<RankedUnit, HiddenAs>;

export function rankUnits(look: Look): readonly RankedUnit[] {
  const units = unitsOf(look.slots);
  return units.map((unit, i): RankedUnit => {
    const isText = unit.slots.every(
      (slot) => slot.inserted === true || (slot.fold === undefined && look.keptAlways.has(slot.first)),
    );
    const isNewest = i === units.length - 1;
    // The newest request outlives what was put behind it, pinned or not.
    const isLaden = isNewest && isText && unit.slots.length > 1;
    const hiding = splitAround(isLaden ? { ...look, isPinned: () => false } : look, [unit], look.keptAlways);
    const ranked = { ...unit, hiding, isText };
    if (unit.slots.some((slot) => slot.summary !== undefined)) return { ...ranked, rank: 'summary' };
    if (isLaden) return { ...ranked, rank: 'round' };
    if (isNewest) return { ...ranked, rank: 'newest' };
    if (isPinned(look, unit)) return { ...ranked, rank: 'pin' };
    const { runs, parts, inserted } = hiding;
    return { ...ranked, rank: runs.length + parts.length + inserted.length === 0 ? 'text' : 'round' };
  });
}

/** Units that go, but for their text. */
export const hideToText = (units: readonly RankedUnit[]): Hidden => new Map(units.map((unit) => [unit, { shown: [] }]));

/** The newest request: it is the last to be cut, and never goes before all others. */
export function findRequest(units: readonly RankedUnit[]): RankedUnit | undefined {
  const newest = units.at(-1);
  if (newest?.isText === true) return newest;
  return units.findLast((unit) => unit.isText);
}

/** The first text: rule files, environment, the first request. With the newest request it is the last to be cut. */
export const findHead = (look: Look, units: readonly RankedUnit[]): RankedUnit | undefined =>
  look.keptAlways.size === 0 ? undefined : units.find((unit) => unit.isText);

/** A digest below this says too little. */
export const LEAST_DIGEST = 96;

/** A summary that does not fit gives way to a digest that does. */
export function digestSummary(look: Look, { first: slot, reach }: RankedUnit, tokens: number): readonly Message[] {
  if (slot.fold === undefined) return [];
  const frame = collapsedFrame(countBehind({ first: slot, last: slot }), slot.fold, look.given.canRecall);
  const room = tokens - look.given.countText(frame) - 8;
  if (room < LEAST_DIGEST) return [];
  const made = makeMessage(slot.fold, slot.message.standsFor, frame);
  const from = look.placeOf(slot.summary?.from ?? '') ?? slot.first;
  const { text: body } = look.digest(from, reach, room);
  return body === '' ? [] : [{ ...made, parts: [...made.parts, text(body)] }];
}
