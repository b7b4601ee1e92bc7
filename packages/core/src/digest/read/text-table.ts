/** Finds the number of a text by its hash, without the text having to be cut out of the one that it stands in. */
export interface TextTable {
  /** The number of the text that stands between two places of another; `none` where it is not in the table. */
  find(text: string, start: number, end: number, hash: number): number;
  /** Takes in a text that is not in the table. */
  add(hash: number, number: number): void;
  /** Gives a text that is in the table another number. */
  replace(hash: number, before: number, number: number): void;
  clear(): void;
}

/** The number of no text. */
export const none = -1;

/** A power of two. */
const leastSlots = 1_024;

/** A table of at least twice as many slots as there are texts, each in the first free one from its hash on. `textOf`: the text of a number. */
export function newTextTable(textOf: (number: number) => string): TextTable {
  let size = 0;
  let last = leastSlots - 1;
  let numbers = new Int32Array(leastSlots).fill(none);
  let hashes = new Int32Array(leastSlots);

  const enter = (hash: number, number: number): void => {
    let slot = hash & last;
    while (numbers[slot] !== none) slot = (slot + 1) & last;
    numbers[slot] = number;
    hashes[slot] = hash;
  };
  const reset = (slots: number): void => {
    last = slots - 1;
    numbers = new Int32Array(slots).fill(none);
    hashes = new Int32Array(slots);
  };

  return {
    find(text, start, end, hash) {
      for (let slot = hash & last; ; slot = (slot + 1) & last) {
        const number = numbers[slot] ?? none;
        if (number === none) return none;
        if (hashes[slot] !== hash) continue;
        const known = textOf(number);
        if (known.length === end - start && text.startsWith(known, start)) return number;
      }
    },
    add(hash, number) {
      if (++size * 2 > numbers.length) {
        const [oldNumbers, oldHashes] = [numbers, hashes];
        reset(2 * oldNumbers.length);
        for (const [slot, old] of oldNumbers.entries()) if (old !== none) enter(oldHashes[slot] ?? 0, old);
      }
      enter(hash, number);
    },
    replace(hash, before, number) {
      let slot = hash & last;
      while (numbers[slot] !== before) slot = (slot + 1) & last;
      numbers[slot] = number;
    },
    clear() {
      size = 0;
      reset(numbers.length);
    },
  };
}
