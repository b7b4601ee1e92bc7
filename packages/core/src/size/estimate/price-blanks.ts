import * as characters from './character-kinds.ts';
import type { Scan } from './scan.ts';
import * as scanning from './scan.ts';

// Per character: local names, since loaders that rewrite imports make each use of an imported one a call.
const { BLANK, BREAK, DIGIT, isLetter, KINDS } = characters;
const { kindAt, settleScan, TOKEN } = scanning;

const SPACE = 32;
const TAB = 9;
const FEED = 10;
/** A tab instead of a space before a word. */
const TAB_PREFIX = 18;
/** Blank lines one below the other that hold equally many blanks, and ones that do not. */
const EQUAL_LINE = 24;
const UNEQUAL_LINE = 68;
/** The vocabulary holds runs of up to 128 spaces, and of 16 tabs. */
const LONGEST_RUN = 128;
const TAB_WIDTH = 8;
/** One more line feed, one more carriage return with its line feed: the vocabulary holds runs of 16 and of 4. */
const MORE_FEED = 4;
const MORE_RETURN = 16;

/** White space: up to the last line break it is one piece, the blanks after it are another, the last space joins what follows. */
export function priceBlanks(scan: Scan): void {
  const { text, at: from } = scan;
  let at = from;
  let lineEnd = -1;
  let feeds = 0;
  let returns = 0;
  let blankLines = 0;
  let equalLines = 0;
  let width = 0;
  let lastWidth = -1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const kind = KINDS[unit];
    if (kind === BLANK) width += unit === TAB ? TAB_WIDTH : 1;
    else if (kind === BREAK) {
      if (unit === FEED) feeds++;
      else returns++;
      if (width > 0) {
        blankLines++;
        if (width === lastWidth) equalLines++;
        scan.cost += TOKEN * Math.floor(width / LONGEST_RUN);
        lastWidth = width;
        width = 0;
      }
      lineEnd = at;
    } else break;
  }
  if (lineEnd >= 0) {
    const opensLine = KINDS[text.charCodeAt(from)] === BREAK;
    const moreReturns = Math.max(0, returns - 1);
    const moreFeeds = Math.max(0, feeds - 1 - moreReturns - blankLines);
    const unequalLines = Math.max(0, blankLines - (opensLine ? 0 : 1) - equalLines);
    scan.cost += scan.marked && opensLine ? 0 : TOKEN;
    scan.cost += moreReturns * MORE_RETURN + moreFeeds * MORE_FEED;
    scan.cost += equalLines * EQUAL_LINE + unequalLines * UNEQUAL_LINE;
  }
  settleScan(scan, false);
  scan.at = at;
  const start = lineEnd < 0 ? from : lineEnd + 1;
  if (start < at) priceIndent(scan, at - start, width);
}

/** The last `count` blanks before where the scan stands, `width` columns wide. */
function priceIndent(scan: Scan, count: number, width: number): void {
  const { text, at } = scan;
  const endsInSpace = text.charCodeAt(at - 1) === SPACE;
  const next = at < text.length ? kindAt(text, at) : BLANK;
  let alone = count;
  if (isLetter(next)) {
    scan.prefix = endsInSpace ? 0 : TAB_PREFIX;
    alone--;
  } else if (next === DIGIT) {
    scan.cost += TOKEN;
    alone--;
  } else if (next !== BLANK && endsInSpace) {
    scan.spaced = true;
    alone--;
  }
  if (alone > 0) scan.cost += TOKEN + TOKEN * Math.floor(width / LONGEST_RUN);
}
