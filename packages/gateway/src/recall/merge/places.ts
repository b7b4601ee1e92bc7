/** Where the pieces of every round stand in the one message that the client sees. */
export interface Places {
  /** From 1. */
  readonly round: number;
  /** One round so far, and nothing of it hidden: all may go on as it came. */
  readonly isWhole: boolean;
  hide(index: number): void;
  isHidden(index: number): boolean;
  /** The place of a piece, by its index in its round. */
  find(index: number): number;
  /** The place behind all. */
  readonly end: number;
  turnOver(): void;
}

export function newPlaces(): Places {
  let round = 1;
  let end = 0;
  let hasHidden = false;
  let hidden = new Set<number>();
  let places = new Map<number, number>();
  return {
    get round() {
      return round;
    },
    get isWhole() {
      return round === 1 && !hasHidden;
    },
    hide(index) {
      hidden.add(index);
      hasHidden = true;
    },
    isHidden: (index) => hidden.has(index),
    find(index) {
      const place = places.get(index) ?? end++;
      places.set(index, place);
      return place;
    },
    get end() {
      return end;
    },
    turnOver() {
      round++;
      hidden = new Set();
      places = new Map();
    },
  };
}
