import type { IdentifierEvidence } from './evidence.ts';
import { weighName } from './weigh-name.ts';

/** What an identifier is worth for the room that it takes. */
export const worthOf = (weight: number, chars: number): number => weight / (chars + 1);

/** The identifiers worth their place, best first. */
export function rankIdentifiers(
  all: readonly IdentifierEvidence[],
  end: number,
  most: number,
): readonly IdentifierEvidence[] {
  const worth = all.map((one) => ({ one, worth: worthOf(weighName(one, end), one.identifier.length) }));
  worth.sort((a, b) => b.worth - a.worth || (a.one.identifier < b.one.identifier ? -1 : 1));
  return worth.slice(0, most).map(({ one }) => one);
}
