/** Numbers between 0 and 1, the same in every run (mulberry32). */
export function newRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Chooses for a generator. */
export interface Chooser {
  pick<One>(list: readonly One[]): One;
  /** A whole number from the least up to, and without, the end. */
  between(least: number, end: number): number;
  shuffle<One>(list: readonly One[]): readonly One[];
}

export function newChooser(seed: number): Chooser {
  const random = newRandom(seed);
  const between = (least: number, end: number): number => least + Math.floor(random() * (end - least));
  return {
    pick: <One>(list: readonly One[]): One => list[between(0, list.length)] as One,
    between,
    shuffle: (list) =>
      list
        .map((one) => ({ one, order: random() }))
        .sort((a, b) => a.order - b.order)
        .map(({ one }) => one),
  };
}
