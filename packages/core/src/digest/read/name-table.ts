/**
 * Texts by number, in the order in which they were added, found without being cut out of the text that they stand in. They lie in a few
 * arrays of numbers, which are walked through at random: an object for each would lie somewhere else every time.
 */
export interface NameTable {
  /** How many there are. */
  size: number;
  /** Four places each: the hash, the number, where the text begins in `chars`, and how long it is. At most half of them are taken. */
  slots: Int32Array;
  /** All texts, one behind the other, and how far they go. */
  chars: Uint16Array;
  filled: number;
}

/** What stands for no name. */
export const none = -1;

/** Most sessions are small, and read often. A power of two. */
const leastSlots = 64;
const leastChars = 512;

export const newNameTable = (): NameTable => ({
  size: 0,
  slots: new Int32Array(4 * leastSlots).fill(none),
  chars: new Uint16Array(leastChars),
  filled: 0,
});

/** The number of the text that stands between two places of another. */
export function findName({ slots, chars }: NameTable, text: string, start: number, end: number, hash: number): number {
  const last = slots.length - 1;
  for (let slot = (hash << 2) & last; ; slot = (slot + 4) & last) {
    const number = slots[slot + 1] as number;
    if (number === none) return none;
    if (slots[slot] !== hash || slots[slot + 3] !== end - start) continue;
    let known = slots[slot + 2] as number;
    let at = start;
    while (at < end && chars[known] === text.charCodeAt(at)) {
      known++;
      at++;
    }
    if (at === end) return number;
  }
}

/** So many characters are made a text at once. */
const charsAtOnce = 4_096;

/** What stands between two places of all texts. Units are applied, since spreading them takes five times as long. */
export function readName({ chars }: NameTable, start: number, end: number): string {
  let text = '';
  for (let from = start; from < end; from += charsAtOnce) {
    const units = chars.subarray(from, Math.min(end, from + charsAtOnce));
    text += Reflect.apply(String.fromCharCode, undefined, units);
  }
  return text;
}

/** Takes in a text that is not in the table; answers its number. */
export function addName(table: NameTable, text: string, start: number, end: number, hash: number): number {
  const number = table.size++;
  if (table.size * 8 > table.slots.length) growSlots(table);
  const length = end - start;
  while (table.filled + length > table.chars.length) growChars(table);
  enterSlot(table.slots, hash, number, table.filled, length);
  const { chars } = table;
  for (let at = start; at < end; at++) chars[table.filled++] = text.charCodeAt(at);
  return number;
}

export function clearNames(table: NameTable): void {
  table.size = 0;
  table.filled = 0;
  table.slots.fill(none);
}

function growSlots(table: NameTable): void {
  const before = table.slots;
  table.slots = new Int32Array(2 * before.length).fill(none);
  for (let slot = 0; slot < before.length; slot += 4) {
    const number = before[slot + 1] as number;
    if (number === none) continue;
    enterSlot(table.slots, before[slot] as number, number, before[slot + 2] as number, before[slot + 3] as number);
  }
}

function growChars(table: NameTable): void {
  const before = table.chars;
  table.chars = new Uint16Array(2 * before.length);
  table.chars.set(before);
}

function enterSlot(slots: Int32Array, hash: number, number: number, place: number, length: number): void {
  const last = slots.length - 1;
  let slot = (hash << 2) & last;
  while (slots[slot + 1] !== none) slot = (slot + 4) & last;
  slots[slot] = hash;
  slots[slot + 1] = number;
  slots[slot + 2] = place;
  slots[slot + 3] = length;
}
