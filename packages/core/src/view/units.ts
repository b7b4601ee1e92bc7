import { callsOf, resultsOf } from '../message/message.ts';
import type { Slot } from './slot.ts';

/** Neighbouring slots of a view: never none. */
export interface Span {
  /** The index of the first slot in the view, and that behind the last. */
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly slots: readonly Slot[];
  readonly first: Slot;
  readonly last: Slot;
  /** The last transcript place that its slots are about: behind the last of them where a summary tells of more. */
  readonly reach: number;
}

/** Slots that can only be kept or hidden together: a message, an assistant's calls with all their results, a fold's messages. */
export type Unit = Span;

/**
 * Splits a view where it may be cut. What the user typed between a call and its last result belongs to the round; calls
 * still in flight hold everything after them.
 */
export function unitsOf(slots: readonly Slot[]): readonly Unit[] {
  const units: Unit[] = [];
  for (let start = 0; start < slots.length; ) {
    const end = findUnitEnd(slots, start);
    const unit = spanBetween(slots, start, end);
    if (unit !== undefined) units.push(unit);
    start = end;
  }
  return units;
}

/** The slots from `start` to before `end`; undefined where there are none. */
export function spanBetween(slots: readonly Slot[], start: number, end: number): Span | undefined {
  const inside = slots.slice(start, end);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const tokens = inside.reduce((sum, slot) => sum + slot.tokens, 0);
  return { start, end, tokens, slots: inside, first, last, reach: findReach(inside) };
}

const findReach = (slots: readonly Slot[]): number =>
  slots.reduce((most, slot) => Math.max(most, slot.reach ?? slot.last), 0);

/** Neighbouring units as one span; undefined where there are none. */
export function joinUnits(units: readonly Unit[]): Span | undefined {
  const [first, last] = [units[0], units.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return {
    start: first.start,
    end: last.end,
    tokens: units.reduce((sum, unit) => sum + unit.tokens, 0),
    slots: units.flatMap((unit) => unit.slots),
    first: first.first,
    last: last.last,
    reach: units.reduce((most, unit) => Math.max(most, unit.reach), 0),
  };
}

/** Splits units into runs of neighbours, between those that are barred from them. */
export function splitRuns(units: readonly Unit[], isBarred: (unit: Unit) => boolean): readonly (readonly Unit[])[] {
  const runs: Unit[][] = [[]];
  for (const unit of units) {
    if (isBarred(unit)) runs.push([]);
    else runs.at(-1)?.push(unit);
  }
  return runs.filter((run) => run.length > 0);
}

function findUnitEnd(slots: readonly Slot[], start: number): number {
  const opening = slots[start];
  let end = start + 1;
  // What one fold made is one thing: a later fold takes all of it or none.
  if (opening?.fold !== undefined) while (slots[end]?.fold === opening.fold) end++;
  else if (opening?.message.role === 'assistant') end = findRoundEnd(slots, start, callsOf(opening.message).length);
  // What was put behind a message goes where that message goes.
  while (slots[end]?.inserted === true) end++;
  return end;
}

function findRoundEnd(slots: readonly Slot[], start: number, calls: number): number {
  let end = start + 1;
  if (calls === 0) return end;
  let answered = 0;
  let reach = end;
  for (let slot = slots[reach]; slot?.message.role === 'user'; slot = slots[++reach]) {
    const results = resultsOf(slot.message).length;
    answered += results;
    if (results > 0) end = reach + 1;
  }
  return answered < calls && reach === slots.length ? reach : end;
}
