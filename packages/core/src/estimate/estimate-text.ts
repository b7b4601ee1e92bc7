import {
  BLANK,
  BREAK,
  CAPITAL,
  DIGIT,
  EARLY,
  FAMILY,
  FIRST,
  isLetter,
  kindOf,
  LATE,
  MARK,
  SCRIPT,
  SYMBOL,
} from './character-kinds.ts';
import { HIRAGANA_PAIRS } from './frequent-characters.ts';
import { CAPITAL_PAIRS, LETTER_PAIRS, PREFIX_COSTS, PUNCTUATION_PAIRS, PUNCTUATION_RUNS } from './pair-costs.ts';

/** Costs are 32nds of a token. */
const TOKEN = 32;
/** A word that opens with a letter outside a to z, by the letter's kind from 26 on. */
const ACCENTED_START = [32, 20, 18, 59] as const;
/** A letter that repeats the one before it, in a script other than Latin: such runs are not in the vocabulary. */
const REPEATED = 22;
/** A tab instead of a space before a word. */
const TAB_PREFIX = 9;
/** Blank lines one below the other that hold equally many blanks, and ones that do not. */
const EQUAL_LINE = 13;
const UNEQUAL_LINE = 34;

const unpack = (rows: readonly string[], width: number): Uint8Array => {
  const costs = new Uint8Array(rows.length * width);
  rows.forEach((row, at) => {
    for (let column = 0; column < row.length; column++) costs[at * width + column] = Number.parseInt(row[column]!, 36);
  });
  return costs;
};
const letterPairs = unpack(LETTER_PAIRS, 32);
const capitalPairs = unpack(CAPITAL_PAIRS, 32);
const markPairs = unpack(PUNCTUATION_PAIRS, 64);
const prefixCosts = unpack([PREFIX_COSTS], 64);

const KANA = 0x3040;
const kanaPairs = new Uint8Array(0x60 * 0x60);
for (let at = 0; at < HIRAGANA_PAIRS.length; at += 2) {
  kanaPairs[(HIRAGANA_PAIRS.charCodeAt(at) - KANA) * 0x60 + HIRAGANA_PAIRS.charCodeAt(at + 1) - KANA] = 1;
}
const isKana = (unit: number): boolean => unit >= KANA && unit < KANA + 0x60;

/** How many of one symbol a token holds, where it is more than one. */
const runLengths = new Map<number, number>(
  (
    [
      ['—…─□\u3000', 14],
      ['━═\ufffd\ud800', 8],
      ['–█★！\u200b', 4],
      ['•■▄▬☆⭐‘’。、？～', 2],
    ] as const
  ).flatMap(([symbols, length]) => Array.from(symbols, (symbol) => [symbol.charCodeAt(0), length] as const)),
);

interface Scan {
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

const kindAt = (text: string, at: number): number => kindOf(text.charCodeAt(at), text.charCodeAt(at + 1));

/**
 * The tokens of a text in o200k_base, estimated in one pass. It cuts the text as that tokenizer does before merging (words at
 * a change to capitals, digits by threes, runs of punctuation, runs of blanks) and prices each piece from its pairs of characters.
 */
export function estimateText(text: string): number {
  if (text === '') return 0;
  const scan: Scan = { text, at: 0, cost: 0, prefix: 0, spaced: false, marked: false };
  while (scan.at < text.length) {
    const kind = kindAt(text, scan.at);
    if (isLetter(kind)) word(scan);
    else if (kind === DIGIT) digits(scan);
    else if (kind === BLANK || kind === BREAK) blanks(scan);
    else marks(scan);
  }
  return Math.max(1, Math.ceil(scan.cost / TOKEN));
}

function word(scan: Scan): void {
  const { text } = scan;
  let { at } = scan;
  let cost = scan.prefix;
  let last = -1;
  let length = 0;
  let family = -1;
  let lastUnit = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    const kind = unit < 0xd800 ? kindOf(unit, 0) : kindAt(text, at);
    if (kind < DIGIT) {
      const letter = kind & 31;
      if (last < 0 || (kind >= CAPITAL && last < CAPITAL)) {
        cost += TOKEN + (letter < 26 ? 0 : ACCENTED_START[letter - 26]!);
        length = 1;
      } else {
        const before = last & 31;
        const capitals = kind >= CAPITAL && letter < 26 && before < 26;
        cost += (capitals ? capitalPairs : letterPairs)[(before << 5) | letter]!;
        length++;
        // Few tokens are longer than eight letters, hardly any longer than twelve.
        if (length > 8 && length <= 20) cost += length > 12 ? 10 : 3;
      }
      last = kind;
      family = -1;
      at++;
    } else if (kind >= SCRIPT && kind < SYMBOL) {
      const row = kind - SCRIPT;
      if (FAMILY[row] !== family) {
        family = FAMILY[row]!;
        length = 1;
        cost += FIRST[row]!;
      } else {
        length++;
        if (unit === lastUnit && unit < 0xd800) cost += REPEATED;
        else if (isKana(unit) && isKana(lastUnit) && kanaPairs[(lastUnit - KANA) * 0x60 + unit - KANA] === 1) cost += 1;
        else cost += length <= 4 ? EARLY[row]! : LATE[row]!;
      }
      last = -1;
      lastUnit = unit;
      at += unit >= 0xd800 && unit < 0xdc00 ? 2 : 1;
    } else {
      const suffix = last >= 0 && (unit === 39 || unit === 0x2019) ? contraction(text, at) : 0;
      if (suffix > 0) cost += unit === 39 ? 0 : TOKEN;
      at += suffix;
      break;
    }
  }
  scan.at = at;
  scan.cost += cost;
  settle(scan, false);
}

/** The length of 's, 't, 'll and the like, which stay with their word. */
function contraction(text: string, at: number): number {
  const one = text.charCodeAt(at + 1) | 32;
  const two = text.charCodeAt(at + 2) | 32;
  const size =
    (one === 108 && two === 108) || ((one === 118 || one === 114) && two === 101)
      ? 3
      : one === 115 || one === 100 || one === 109 || one === 116
        ? 2
        : 0;
  const after = text.charCodeAt(at + size) | 32;
  return size > 0 && after >= 97 && after <= 122 ? 0 : size;
}

function digits(scan: Scan): void {
  const from = scan.at;
  while (scan.at < scan.text.length && kindOf(scan.text.charCodeAt(scan.at), 0) === DIGIT) scan.at++;
  scan.cost += TOKEN * Math.ceil((scan.at - from) / 3);
  settle(scan, false);
}

function blanks(scan: Scan): void {
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
    const kind = kindOf(unit, 0);
    if (kind === BLANK) width++;
    else if (kind === BREAK) {
      if (unit === 10) feeds++;
      else returns++;
      if (width > 0) {
        blankLines++;
        if (width === lastWidth) equalLines++;
        lastWidth = width;
        width = 0;
      }
      lineEnd = at;
    } else break;
  }
  if (lineEnd >= 0) {
    const opensLine = kindOf(text.charCodeAt(from), 0) === BREAK;
    if (!(scan.marked && opensLine)) scan.cost += TOKEN;
    const moreReturns = Math.max(0, returns - 1);
    scan.cost += moreReturns * 8 + Math.max(0, feeds - 1 - moreReturns - blankLines) * 2;
    const moreLines = opensLine ? blankLines : blankLines - 1;
    if (blankLines > 0) scan.cost += equalLines * EQUAL_LINE + (moreLines - equalLines) * UNEQUAL_LINE;
  }
  const spaceLast = text.charCodeAt(at - 1) === 32;
  const start = lineEnd < 0 ? from : lineEnd + 1;
  let run = at - start;
  settle(scan, false);
  scan.at = at;
  if (run === 0) return;
  if (at < text.length) {
    const next = kindAt(text, at);
    if (isLetter(next)) {
      scan.prefix = spaceLast ? 0 : TAB_PREFIX;
      run--;
    } else if (next === DIGIT) {
      scan.cost += TOKEN;
      run--;
    } else if (spaceLast) {
      scan.spaced = true;
      run--;
    }
  }
  if (run === 0) return;
  // The longest run of spaces in the vocabulary is 128, of tabs 16.
  scan.cost += text.charCodeAt(start) === 9 ? TOKEN + (run - 1) * 2 : TOKEN + TOKEN * Math.floor(run / 128);
}

function marks(scan: Scan): void {
  const { text } = scan;
  let { at } = scan;
  let last = -1;
  let symbol = false;
  const kind = kindAt(text, at);
  if (kind < SCRIPT && !scan.spaced && at + 1 < text.length && isLetter(kindAt(text, at + 1))) {
    settle(scan, false);
    scan.prefix = prefixCosts[kind - MARK]!;
    scan.at = at + 1;
    return;
  }
  while (at < text.length) {
    const kind = kindAt(text, at);
    if (kind >= MARK && kind < SCRIPT) {
      const mark = kind - MARK;
      if (last < 0) scan.cost += TOKEN;
      else scan.cost += mark === last ? TOKEN / PUNCTUATION_RUNS[mark]! : markPairs[(last << 6) | mark]!;
      last = mark;
      symbol = false;
      at++;
    } else if (kind >= SYMBOL) {
      const from = at;
      const size = sizeAt(text, at);
      const unit = text.charCodeAt(at);
      const low = size === 2 ? text.charCodeAt(at + 1) : 0;
      do at += size;
      while (text.charCodeAt(at) === unit && (size === 1 || text.charCodeAt(at + 1) === low));
      const tokens = kind - SYMBOL;
      const price = tokens > 0 ? tokens * TOKEN : symbol ? 0 : 2 * TOKEN;
      const more = (at - from) / size - 1;
      if (more > 0) {
        const held = size === 1 ? runLengths.get(unit < 0xd800 || unit > 0xdfff ? unit : 0xd800) : undefined;
        scan.cost += Math.ceil(
          more * (held === undefined ? Math.max(tokens, tokens > 0 ? 1 : 2) * TOKEN : TOKEN / held),
        );
      }
      scan.cost += price;
      last = -1;
      symbol = true;
    } else break;
  }
  scan.at = at;
  settle(scan, true);
}

const sizeAt = (text: string, at: number): 1 | 2 =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;

function settle(scan: Scan, marked: boolean): void {
  scan.prefix = 0;
  scan.spaced = false;
  scan.marked = marked;
}
