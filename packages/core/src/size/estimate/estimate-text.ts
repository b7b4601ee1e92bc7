import * as characters from './character-kinds.ts';
import { priceBlanks } from './price-blanks.ts';
import { priceLatinWords } from './price-latin-words.ts';
import { priceMarks } from './price-marks.ts';
import { priceScriptWords } from './price-script-words.ts';
import type { Scan } from './scan.ts';
import * as scanning from './scan.ts';

// Per character: local names, since loaders that rewrite imports make each use of an imported one a call.
const { BLANK, BREAK, DIGIT, KINDS, SCRIPT, SYMBOL } = characters;
const { kindAt, settleScan, TOKEN } = scanning;

const SPACE = 32;

/**
 * The tokens of a text in o200k_base, estimated in one pass. The text is cut as that tokenizer cuts it before merging (words,
 * also at a change to capitals; digits by threes; punctuation; white space), and each piece is priced by its pairs of
 * characters. Every character is looked at a bounded number of times, and nothing is allocated but the scan itself.
 */
export function estimateText(text: string): number {
  if (text === '') return 0;
  const scan: Scan = { text, at: 0, cost: 0, prefix: 0, spaced: false, marked: false };
  while (scan.at < text.length) {
    const kind = kindAt(text, scan.at);
    if (kind < DIGIT) priceLatinWords(scan);
    else if (kind === BLANK && text.charCodeAt(scan.at) === SPACE && KINDS[text.charCodeAt(scan.at + 1)]! < DIGIT) {
      // A single space before a word, by far the most common white space, is part of the word.
      settleScan(scan, false);
      scan.at++;
      priceLatinWords(scan);
    } else if (kind === DIGIT) priceDigits(scan);
    else if (kind <= BREAK) priceBlanks(scan);
    else if (kind >= SCRIPT && kind < SYMBOL) priceScriptWords(scan);
    else priceMarks(scan);
  }
  return Math.max(1, Math.round(scan.cost / TOKEN));
}

function priceDigits(scan: Scan): void {
  const { text } = scan;
  const from = scan.at;
  let at = from;
  while (at < text.length && KINDS[text.charCodeAt(at)] === DIGIT) at++;
  scan.at = at;
  scan.cost += TOKEN * Math.ceil((at - from) / 3);
  settleScan(scan, false);
}
