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

/** Those of all, in their order, by what each is worth. */
export function pickIdentifiers<One extends Pick<IdentifierEvidence, 'identifier'>>(
  all: readonly One[],
  worths: Float64Array,
  most: number,
): readonly One[] {
  const { least, ties } = findLeast(worths, most);
  const tied = all.filter((_, i) => worths[i] === least);
  tied.sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
  const picked = new Set(tied.slice(0, ties));
  return all.filter((one, i) => (worths[i] ?? 0) > least || picked.has(one));
}
