import type { IdentifierEvidence } from './evidence.ts';
import { findLeast } from './find-least.ts';
import { weighName } from './weigh-name.ts';

/** What an identifier is worth for the room that it takes. */
export const worthOf = (weight: number, identifier: string): number => weight / (identifier.length + 1);

/** The identifiers worth their place, best first. */
export function rankIdentifiers(
  all: readonly IdentifierEvidence[],
  end: number,
  most: number,
): readonly IdentifierEvidence[] {
  const worth = all.map((one) => ({ one, worth: worthOf(weighName(one, end), one.identifier) }));
  worth.sort((a, b) => b.worth - a.worth || (a.one.identifier < b.one.identifier ? -1 : 1));
  return worth.slice(0, most).map(({ one }) => one);
}

/** Whether one, by its number, is among those, by what each was weighed to be. */
export function pickIdentifiers(
  all: readonly { readonly identifier: string; readonly weight: number }[],
  most: number,
): (number: number) => boolean {
  const worths = new Float64Array(all.length);
  for (let i = 0; i < worths.length; i++) {
    const one = all[i];
    if (one !== undefined) worths[i] = worthOf(one.weight, one.identifier);
  }
  const { least, ties } = findLeast(worths, most);
  const tied: { readonly identifier: string; readonly i: number }[] = [];
  for (let i = 0; i < worths.length; i++)
    if (worths[i] === least) tied.push({ identifier: all[i]?.identifier ?? '', i });
  tied.sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
  const picked = new Set(tied.slice(0, ties).map(({ i }) => i));
  return (number) => (worths[number] ?? 0) > least || picked.has(number);
}
