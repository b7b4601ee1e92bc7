/** Numbers of pairs of numbers, in the order in which they were added: three places each, the two, the lesser first, and their number. At most half of them are taken. */
export interface PairTable {
  size: number;
  slots: Int32Array;
}

const none = -1;
/** A power of two. */
const leastSlots = 64;

export const newPairTable = (): PairTable => ({ size: 0, slots: newSlots(leastSlots) });

const newSlots = (count: number): Int32Array => new Int32Array(3 * count).fill(none);

/** The number of a pair, whichever of the two is named first; one that is not there is added, and its number is `table.size` as it was before. */
export function putPair(table: PairTable, one: number, other: number): number {
  const low = Math.min(one, other);
  const high = Math.max(one, other);
  const { slots } = table;
  const place = findPlace(slots, low, high);
  const known = slots[place + 2] as number;
  if (known !== none) return known;
  const number = table.size++;
  enterPair(slots, place, low, high, number);
  if (6 * table.size > slots.length) table.slots = growTwice(slots);
  return number;
}

/** Where a pair stands, or may be put. */
function findPlace(slots: Int32Array, low: number, high: number): number {
  const last = slots.length / 3 - 1;
  const hash = Math.imul(Math.imul(low, 0x9e37_79b1) ^ high, 0x85eb_ca6b);
  for (let slot = (hash >>> 15) ^ hash; ; slot++) {
    const place = 3 * (slot & last);
    if (slots[place + 2] === none || (slots[place] === low && slots[place + 1] === high)) return place;
  }
}

function enterPair(slots: Int32Array, place: number, low: number, high: number, number: number): void {
  slots[place] = low;
  slots[place + 1] = high;
  slots[place + 2] = number;
}

function growTwice(before: Int32Array): Int32Array {
  const slots = newSlots((2 * before.length) / 3);
  for (let from = 0; from < before.length; from += 3) {
    const number = before[from + 2] as number;
    if (number === none) continue;
    const low = before[from] as number;
    const high = before[from + 1] as number;
    enterPair(slots, findPlace(slots, low, high), low, high, number);
  }
  return slots;
}
