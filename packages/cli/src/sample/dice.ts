/** Numbers in [0, 1) that are the same in every run: the sample has to be one session, not a new one each time. */
export function newDice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // Marsaglia's xorshift with the shifts 13, 17, 5; a state of 0 would stay 0.
    state = state === 0 ? 1 : state;
    state = (state ^ (state << 13)) >>> 0;
    state = (state ^ (state >>> 17)) >>> 0;
    state = (state ^ (state << 5)) >>> 0;
    return state / 4_294_967_296;
  };
}

export const rollBetween = (roll: () => number, low: number, high: number): number =>
  low + Math.floor(roll() * (high - low));
