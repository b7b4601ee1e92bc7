import * as characters from './character-kinds.ts';
import { PREFIX_COSTS, PUNCTUATION_PAIRS, PUNCTUATION_RUNS, unpackCosts } from './pair-costs.ts';
import type { Scan } from './scan.ts';
import * as scanning from './scan.ts';

// Per character: local names, since loaders that rewrite imports make each use of an imported one a call.
const { isLetter, LONE, MARK, SCRIPT, SYMBOL } = characters;
const { kindAt, settleScan, TOKEN } = scanning;

/** From here on, a run of one mark keeps its token to itself: the line break after it is another. */
const LONG_RUN = 8;
/** Runs of U+FFFD, which every half of a pair becomes. */
const LONE_RUN = 8;

const markPairs = unpackCosts(PUNCTUATION_PAIRS, 64);
const prefixCosts = unpackCosts([PREFIX_COSTS], 64);

/** How many of one symbol a token holds, where it is more than one. */
const runLengths = new Map<number, number>(
  (
    [
      ['—…─□\u3000', 16],
      ['━═\ufffd', 8],
      ['–█★！\u200b', 4],
      ['\u0000•■▄▬☆⭐‘’。、？～', 2],
    ] as const
  ).flatMap(([symbols, length]) => Array.from(symbols, (symbol) => [symbol.charCodeAt(0), length] as const)),
);

/** Punctuation and symbols up to the first character that is neither. One mark right before a letter belongs to the word. */
export function priceMarks(scan: Scan): void {
  const { text } = scan;
  const first = kindAt(text, scan.at);
  if (first < SCRIPT && !scan.spaced && scan.at + 1 < text.length && isLetter(kindAt(text, scan.at + 1))) {
    settleScan(scan, false);
    scan.prefix = prefixCosts[first - MARK]!;
    scan.at++;
    return;
  }
  let last = -1;
  let run = 0;
  let afterSymbol = false;
  while (scan.at < text.length) {
    const kind = kindAt(text, scan.at);
    if (kind >= MARK && kind < SCRIPT) {
      const mark = kind - MARK;
      run = mark === last ? run + 1 : 1;
      if (last < 0) scan.cost += TOKEN;
      else scan.cost += run > 1 ? TOKEN / PUNCTUATION_RUNS[mark]! : markPairs[(last << 6) | mark]!;
      last = mark;
      afterSymbol = false;
      scan.at++;
    } else if (kind >= SYMBOL) {
      run = priceSymbols(scan, kind, afterSymbol);
      last = -1;
      afterSymbol = true;
    } else break;
  }
  settleScan(scan, run < LONG_RUN);
}

/** One symbol as often as it stands there; says how often. */
function priceSymbols(scan: Scan, kind: number, afterSymbol: boolean): number {
  const { text } = scan;
  const unit = text.charCodeAt(scan.at);
  const next = text.charCodeAt(scan.at + 1);
  const paired = kind !== LONE && (unit & 0xfc00) === 0xd800;
  let count = 0;
  do {
    scan.at += paired ? 2 : 1;
    count++;
  } while (
    kind === LONE
      ? scan.at < text.length && kindAt(text, scan.at) === LONE
      : text.charCodeAt(scan.at) === unit && (!paired || text.charCodeAt(scan.at + 1) === next)
  );
  // A variation selector is part of the symbol before it; by itself it is two tokens.
  const selector = kind === SYMBOL;
  const each = kind === LONE ? TOKEN : selector ? 2 * TOKEN : (kind - SYMBOL) * TOKEN;
  const held = kind === LONE ? LONE_RUN : runLengths.get(unit);
  scan.cost += selector && afterSymbol ? 0 : each;
  scan.cost += (count - 1) * (held === undefined ? each : TOKEN / held);
  return count;
}
