/** Rows by the hashes of their texts: two places each, the hash and the row. At most half of them are taken. */
export interface RowTable {
  size: number;
  slots: Int32Array;
}

const none = -1;
/** A power of two. */
const leastSlots = 64;

export const newRowTable = (): RowTable => ({ size: 0, slots: new Int32Array(2 * leastSlots).fill(none) });

/** Puts a row in the place of the one with the same text, which it answers; `none` where there is no such row. */
export function putRow(table: RowTable, texts: readonly string[], row: number, hash: number): number {
  const { slots } = table;
  const last = slots.length - 1;
  let slot = (hash << 1) & last;
  for (; slots[slot + 1] !== none; slot = (slot + 2) & last) {
    const before = slots[slot + 1] as number;
    if (slots[slot] !== hash || texts[before] !== texts[row]) continue;
    slots[slot + 1] = row;
    return before;
  }
  slots[slot] = hash;
  slots[slot + 1] = row;
  if (++table.size * 4 > slots.length) growSlots(table);
  return none;
}

export function clearRows(table: RowTable): void {
  table.size = 0;
  table.slots.fill(none);
}

function growSlots(table: RowTable): void {
  const before = table.slots;
  const slots = new Int32Array(2 * before.length).fill(none);
  const last = slots.length - 1;
  for (let from = 0; from < before.length; from += 2) {
    const row = before[from + 1] as number;
    if (row === none) continue;
    const hash = before[from] as number;
    let slot = (hash << 1) & last;
    while (slots[slot + 1] !== none) slot = (slot + 2) & last;
    slots[slot] = hash;
    slots[slot + 1] = row;
  }
  table.slots = slots;
}
