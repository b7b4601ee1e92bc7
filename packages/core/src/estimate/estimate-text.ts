import { blanks } from './blanks.ts';
import { BLANK, BREAK, DIGIT, isLetter, kindOf } from './character-kinds.ts';
import { marks } from './marks.ts';
import { kindAt, type Scan, settle, TOKEN } from './scan.ts';
import { words } from './words.ts';

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
    if (isLetter(kind)) words(scan);
    else if (kind === DIGIT) digits(scan);
    else if (kind === BLANK || kind === BREAK) blanks(scan);
    else marks(scan);
  }
  return Math.max(1, Math.round(scan.cost / TOKEN));
}

function digits(scan: Scan): void {
  const from = scan.at;
  while (scan.at < scan.text.length && kindOf(scan.text.charCodeAt(scan.at), 0) === DIGIT) scan.at++;
  scan.cost += TOKEN * Math.ceil((scan.at - from) / 3);
  settle(scan, false);
}
