import { type Message, unitsOf } from '../../src/index.ts';

/** A view as lists of messages that can only be kept or hidden together. */
function splitView(view: readonly Message[]): readonly (readonly Message[])[] {
  const slots = view.map((message, i) => ({ message, tokens: 0, bytes: 0, images: 0, first: i, last: i }));
  return unitsOf(slots).map((unit) => view.slice(unit.start, unit.end));
}

/** The messages that the last one of a view belongs to. */
export const newestUnitOf = (view: readonly Message[]): readonly Message[] => splitView(view).at(-1) ?? [];

/** The messages that this one belongs to, where the view shows it. */
export const unitWith = (view: readonly Message[], id: string): readonly Message[] =>
  splitView(view).find((unit) => unit.some((message) => message.id === id)) ?? [];
