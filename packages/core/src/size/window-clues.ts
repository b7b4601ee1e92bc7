/** What requests have shown of a window that nobody stated rightly, in tokens. */
export interface WindowClues {
  /** The most that the provider took. */
  readonly taken: number;
  /** The least that it refused as too long, where it took less afterwards: so it was the size. Never less than `taken`. */
  readonly refused?: number;
  /** The estimate of what was refused, and nothing was taken since: it may not have been the size. The next report says what it was. */
  readonly doubted?: number;
  /** What was refused is put to the test by a larger view, or has been. */
  readonly test?: 'open' | 'done';
}

export const noClues: WindowClues = { taken: 0 };

/** Counts are no further off than this: a view that is smaller than one that was taken was not refused for its size. */
const COUNTED_WELL = 0.8;
/** Where little was taken before, the window is looked for so far down from what was refused. */
const SHARE_OF_REFUSED = 0.75;
/** No model in use has a smaller window: whatever is refused below this, it is not the conversation that is too long. */
const LEAST_WINDOW = 4_096;

/** A view of so many tokens, by that estimate, was refused as too long, and the window was not stated. */
export function addRefused(clues: WindowClues, tokens: number, estimate: number): WindowClues {
  const { taken, doubted = Infinity } = clues;
  return tokens < taken * COUNTED_WELL ? clues : { ...clues, doubted: Math.min(doubted, estimate) };
}

/**
 * A view of so many tokens was taken, by which an estimate is `sizeOf` tokens. That bears out a refusal of more, and refutes one
 * of less.
 */
export function addTaken(
  { taken: before, refused = Infinity, doubted, test }: WindowClues,
  tokens: number,
  sizeOf: (estimate: number) => number,
): WindowClues {
  const taken = Math.max(before, tokens);
  const newly = doubted === undefined ? Infinity : sizeOf(doubted);
  const sizes = [refused, ...(newly < before * COUNTED_WELL ? [] : [Math.max(newly, before)])];
  const least = Math.min(...sizes.filter((one) => one >= taken));
  if (least === Infinity) return { taken };
  return { taken, refused: least, ...(test === undefined ? {} : { test: 'done' }) };
}

/**
 * A view of so many tokens is to be made. One that is clearly larger than what was refused is shown as it is, once: it is
 * refused again, or what was refused before was not refused for its size. In no case is there room for half an answer.
 */
export function testRefused(clues: WindowClues, tokens: number): WindowClues {
  const { refused, test } = clues;
  return refused === undefined || test !== undefined || tokens * COUNTED_WELL <= refused
    ? clues
    : { ...clues, test: 'open' };
}

/** Nothing was taken behind the refusals of a row: making it smaller did not help, so they have shown nothing. */
export const dropDoubted = ({ doubted: _, ...clues }: WindowClues): WindowClues => clues;

/** A word of the provider's, or of the user's, counts for more than what was refused. */
export const dropRefused = ({ taken }: WindowClues): WindowClues => ({ taken });

/** The window as it was stated, or as requests have shown it where that is less: what was taken is proven, what was refused is not. */
export function inferWindow(stated: number, { taken, refused, test }: WindowClues): number {
  if (refused === undefined || test === 'open') return stated;
  return Math.min(stated, Math.max(taken, Math.floor(refused * SHARE_OF_REFUSED), LEAST_WINDOW));
}
