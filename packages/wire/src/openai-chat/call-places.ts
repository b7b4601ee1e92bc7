import { asFields, asNumber, asString } from '@palimpsest/core/json';

/** Tells the calls of one streamed answer apart. */
export interface CallPlaces {
  /** The call that a piece belongs to, counted from 0 in the order in which they began. `at` is its place in the list that it came in. */
  find(piece: unknown, at: number): number;
}

/**
 * By their index, as the API has it. Some servers leave it away or give all calls the same one: there a piece that has a name and
 * another id begins another call.
 */
export function newCallPlaces(): CallPlaces {
  const begun = new Map<number, { readonly place: number; readonly id: string }>();
  let count = 0;
  return {
    find(piece, at) {
      const { index, id: stated, function: made } = asFields(piece);
      const name = asNumber(index) ?? at;
      const id = asString(stated) ?? '';
      const before = begun.get(name);
      const isOther =
        before !== undefined && id !== '' && id !== before.id && (asString(asFields(made).name) ?? '') !== '';
      if (before !== undefined && !isOther) return before.place;
      begun.set(name, { place: count, id });
      return count++;
    },
  };
}
