import * as characters from './character-kinds.ts';

// Per character: local names, since loaders that rewrite imports make each use of an imported one a call.
const { KINDS, kindOf } = characters;

/** Costs are 64ths of a token, and whole numbers throughout. */
export const TOKEN = 64;

/** How far a text has been read, and what it cost so far. */
export interface Scan {
  readonly text: string;
  at: number;
  cost: number;
  /** What the character before a word adds to it. */
  prefix: number;
  /** A space stands before what comes, and belongs to it. */
  spaced: boolean;
  /** Punctuation stands before what comes: a line break joins its token. */
  marked: boolean;
}

export function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return (unit & 0xfc00) === 0xd800 ? kindOf(unit, text.charCodeAt(at + 1)) : KINDS[unit]!;
}

/** Nothing of what was read bears on what comes, unless it ends in punctuation. */
export function settleScan(scan: Scan, marked: boolean): void {
  scan.prefix = 0;
  scan.spaced = false;
  scan.marked = marked;
}
