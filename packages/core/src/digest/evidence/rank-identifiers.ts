import type { IdentifierEvidence } from './evidence.ts';
import { weighName } from './weigh-name.ts';

/** What an identifier is worth for the room that it takes. */
export const worthOf = (weight: number, chars: number): number => weight / (chars + 1);

/** An identifier with how likely it is needed. */
export interface Ranked {
  readonly identifier: string;
  readonly weight: number;
}

/** The identifiers worth their place, best first. */
export function rankIdentifiers(all: readonly IdentifierEvidence[], end: number, most: number): readonly Ranked[] {
  const weights = new Float64Array(all.length);
  const worths = new Float64Array(all.length);
  weighAll(all, end, weights, worths);
  const nameOf = (at: number): string => (all[at] as IdentifierEvidence).identifier;
  const order = all.map((_, at) => at);
  order.sort((a, b) => (worths[b] as number) - (worths[a] as number) || (nameOf(a) < nameOf(b) ? -1 : 1));
  return order.slice(0, most).map((at) => ({ identifier: nameOf(at), weight: weights[at] as number }));
}

function weighAll(all: readonly IdentifierEvidence[], end: number, weights: Float64Array, worths: Float64Array): void {
  for (let at = 0; at < all.length; at++) {
    const one = all[at] as IdentifierEvidence;
    const weight = weighName(one, end);
    weights[at] = weight;
    worths[at] = worthOf(weight, one.identifier.length);
  }
}
