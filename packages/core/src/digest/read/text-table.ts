/** What a table finds by its text. */
export interface Known {
  readonly text: string;
  /** A number that equal texts have in common. */
  readonly hash: number;
}

/** Finds what has a text by its hash, without the text having to be cut out of the one that it stands in. */
export interface TextTable<Item extends Known> {
  /** What has the text that stands between two places of another. */
  find(text: string, start: number, end: number, hash: number): Item | undefined;
  /** Takes in one whose text is not in the table. */
  add(item: Item): void;
  /** Puts one with the same text in the place of another. */
  replace(before: Item, item: Item): void;
  clear(): void;
}

/** A power of two. */
const leastSlots = 1_024;
/** The hash of no item. */
const free = -1;

/** A table of at least twice as many slots as there are items, each in the first free one from its hash on. */
export function newTextTable<Item extends Known>(): TextTable<Item> {
  let size = 0;
  let last = leastSlots - 1;
  let hashes = new Int32Array(leastSlots).fill(free);
  let items: (Item | undefined)[] = new Array(leastSlots).fill(undefined);

  const enter = (item: Item): void => {
    let slot = item.hash & last;
    while (hashes[slot] !== free) slot = (slot + 1) & last;
    hashes[slot] = item.hash;
    items[slot] = item;
  };
  const reset = (slots: number): void => {
    last = slots - 1;
    hashes = new Int32Array(slots).fill(free);
    items = new Array(slots).fill(undefined);
  };

  return {
    find(text, start, end, hash) {
      for (let slot = hash & last; ; slot = (slot + 1) & last) {
        const found = hashes[slot];
        if (found === free) return undefined;
        if (found !== hash) continue;
        const item = items[slot];
        if (item !== undefined && isSame(item.text, text, start, end)) return item;
      }
    },
    add(item) {
      if (++size * 2 > hashes.length) {
        const before = items;
        reset(2 * hashes.length);
        for (const old of before) if (old !== undefined) enter(old);
      }
      enter(item);
    },
    replace(before, item) {
      let slot = before.hash & last;
      while (items[slot] !== before) slot = (slot + 1) & last;
      items[slot] = item;
    },
    clear() {
      size = 0;
      reset(hashes.length);
    },
  };
}

/** Whether a text stands between two places of another. */
function isSame(known: string, text: string, start: number, end: number): boolean {
  const { length } = known;
  if (length !== end - start) return false;
  for (let at = 0; at < length; at++) if (known.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}
