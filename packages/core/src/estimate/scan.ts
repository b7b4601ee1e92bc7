import { kindOf } from './character-kinds.ts';

/** Costs are 32nds of a token. */
export const TOKEN = 32;

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

export const kindAt = (text: string, at: number): number => kindOf(text.charCodeAt(at), text.charCodeAt(at + 1));

/** One digit of base 36 a cost. */
export function unpack(rows: readonly string[], width: number): Uint8Array {
  const costs = new Uint8Array(rows.length * width);
  rows.forEach((row, at) => {
    for (let column = 0; column < row.length; column++) costs[at * width + column] = Number.parseInt(row[column]!, 36);
  });
  return costs;
}

/** Nothing of what was read bears on what comes, unless it ends in punctuation. */
export function settle(scan: Scan, marked: boolean): void {
  scan.prefix = 0;
  scan.spaced = false;
  scan.marked = marked;
}
