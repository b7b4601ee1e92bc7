import { FREQUENT_HAN, FREQUENT_HANGUL } from './frequent-characters.ts';
import { PUNCTUATION } from './pair-costs.ts';

/**
 * What kind of character a code point is, one byte each. Latin letters are 0 to 29 (the rows of LETTER_PAIRS), 32 more for a
 * capital; punctuation is MARK + its index in PUNCTUATION; a letter of another script is SCRIPT + its row; a symbol is
 * SYMBOL + its cost in tokens.
 */
export const CAPITAL = 32;
export const DIGIT = 64;
export const BLANK = 65;
export const BREAK = 66;
export const MARK = 70;
export const SCRIPT = 128;
export const SYMBOL = 192;
/** Half of a surrogate pair, which is sent as U+FFFD. */
export const LONE = SYMBOL + 9;

type ScriptRow = readonly [from: number, to: number, family: number, first: number, early: number, late: number];

/**
 * Scripts and what their letters cost in 32nds of a token: the first of a run, the second to fourth, and the later ones. Runs
 * of one family are one run. Fitted like the pair costs. Row 0 is for every code point that no other row and no symbol names.
 */
const SCRIPTS: readonly ScriptRow[] = [
  [0, 0, 0, 70, 79, 94],
  [0x0250, 0x02ff, 1, 53, 55, 44], // phonetic letters
  [0x0370, 0x03ab, 2, 49, 24, 31], // Greek capitals
  [0x03ac, 0x03ff, 2, 32, 12, 6],
  [0x0400, 0x042f, 3, 33, 20, 22], // Cyrillic capitals
  [0x0430, 0x044f, 3, 32, 8, 5],
  [0x0450, 0x045f, 3, 64, 33, 16],
  [0x0460, 0x052f, 3, 59, 26, 51],
  [0x0530, 0x058f, 4, 60, 2, 6], // Armenian
  [0x0590, 0x05cf, 5, 80, 23, 38], // Hebrew points
  [0x05d0, 0x05ff, 5, 32, 2, 24],
  [0x0600, 0x064a, 6, 32, 2, 20], // Arabic
  [0x064b, 0x065f, 6, 32, 2, 6],
  [0x066e, 0x06ff, 6, 52, 2, 43],
  [0x0700, 0x08ff, 7, 59, 54, 46], // Syriac, Thaana, N'Ko
  [0x0900, 0x097f, 8, 35, 2, 20], // Devanagari
  [0x0980, 0x09ff, 9, 49, 3, 11], // Bengali
  [0x0a00, 0x0a7f, 10, 42, 12, 22], // Gurmukhi
  [0x0a80, 0x0aff, 11, 39, 3, 19], // Gujarati
  [0x0b00, 0x0b7f, 12, 52, 34, 33], // Oriya
  [0x0b80, 0x0bff, 13, 64, 5, 7], // Tamil
  [0x0c00, 0x0c7f, 14, 32, 2, 23], // Telugu
  [0x0c80, 0x0cff, 15, 42, 7, 13], // Kannada
  [0x0d00, 0x0d7f, 16, 55, 8, 7], // Malayalam
  [0x0d80, 0x0dff, 17, 32, 7, 46], // Sinhala
  [0x0e00, 0x0e7f, 18, 60, 11, 14], // Thai
  [0x0e80, 0x0eff, 19, 63, 59, 43], // Lao
  [0x0f00, 0x0fff, 20, 59, 52, 49], // Tibetan
  [0x1000, 0x109f, 21, 63, 22, 13], // Myanmar
  [0x10a0, 0x10ff, 22, 58, 2, 7], // Georgian
  [0x1200, 0x137f, 23, 69, 67, 34], // Ethiopic
  [0x1780, 0x17ff, 24, 32, 6, 30], // Khmer
  [0x1f00, 0x1fff, 2, 80, 50, 58], // Greek with breathings
  [0x3040, 0x309f, 25, 26, 34, 34], // hiragana; pairs inside a token cost 1, see HIRAGANA_PAIRS
  [0x30a0, 0x30ff, 26, 57, 10, 27], // katakana
  [0x3100, 0x31ff, 27, 59, 50, 44], // bopomofo
  [0x4e00, 0x9fff, 28, 64, 48, 48], // Han
  [0xac00, 0xd7af, 29, 100, 82, 82], // Hangul
  [0xfb50, 0xfdff, 6, 59, 53, 48], // Arabic presentation forms
  [0xfe70, 0xfeff, 6, 59, 53, 48],
  [0xff61, 0xff9f, 30, 42, 30, 61], // half-width katakana
  [0x10000, 0x1d3ff, 31, 104, 120, 104],
  [0x1d400, 0x1d7ff, 32, 83, 90, 91], // mathematical alphabets
  [0x20000, 0x10ffff, 31, 104, 120, 104],
];
const FREQUENT_HAN_ROW: ScriptRow = [0, 0, 28, 24, 16, 16];
const FREQUENT_HANGUL_ROW: ScriptRow = [0, 0, 29, 43, 9, 9];

/** Symbols that are no letters: how many tokens one takes, by block. */
const SYMBOLS: readonly (readonly [from: number, to: number, tokens: number])[] = [
  [0x0080, 0x00bf, 1],
  [0x00d7, 0x00d7, 1],
  [0x00f7, 0x00f7, 1],
  [0x0660, 0x066d, 1], // Arabic digits
  [0x2000, 0x237f, 2],
  [0x2380, 0x247f, 3],
  [0x2480, 0x27bf, 2],
  [0x27c0, 0x2bff, 3],
  [0x3000, 0x303f, 2],
  [0x3200, 0x33ff, 3],
  [0xd800, 0xdfff, LONE - SYMBOL],
  [0xe000, 0xf8ff, 3],
  [0xfe00, 0xfe0f, 0], // variation selectors: part of the symbol before them
  [0xfe10, 0xfe6f, 3],
  [0xff00, 0xff0f, 2],
  [0xff10, 0xff19, 1],
  [0xff1a, 0xff60, 2],
  [0xffe0, 0xffff, 2],
  [0x1f000, 0x1f1df, 3],
  [0x1f1e0, 0x1f1ff, 2], // flags are two of these
  [0x1f200, 0x1f2ff, 3],
  [0x1f300, 0x1f64f, 2],
  [0x1f650, 0x1f67f, 3],
  [0x1f680, 0x1f6ff, 2],
  [0x1f700, 0x1fbff, 3],
];

/** Symbols of those blocks that are one token by themselves. */
const ONE_TOKEN_SYMBOLS =
  '\u2002\u2003\u2009\u200a\u200b\u200c\u200d\u200e\u200f‐‑–—―‘’‚“”„‟†‡•․…\u202a\u202c\u202f‰′″‹›※‼\u2060₂₪€₹⃣℃№™Ω←↑→↓⇒∀∆−∙√∞∨≈≤≥≫' +
  '─━│┃├┣═║╗╝▀▄█▋░▒▓■□▪▫▬▲△▶▷►▼▽◆◇○◎●★☆☎☴☺♀♂♡♥♦♪♫✅✓✔✨❤➡⠀⭐⭕' +
  '\u3000、。〇〈〉《》「」『』【】〒〔〕〖〜！％＆（）＊＋，－．／：；＜＝＞？＠［＼］＾＿｀｜～￣￥\ufffd' +
  '🏻🏼👇👉👌👍👏💕🔥😀😁😂😉😊😍😘😭🙂🙏🤣';

const rows: readonly ScriptRow[] = [...SCRIPTS, FREQUENT_HAN_ROW, FREQUENT_HANGUL_ROW];
export const FAMILY = Uint8Array.from(rows, (row) => row[2]);
/** In 64ths of a token. */
export const FIRST = Uint8Array.from(rows, (row) => 2 * row[3]);
export const EARLY = Uint8Array.from(rows, (row) => 2 * row[4]);
export const LATE = Uint8Array.from(rows, (row) => 2 * row[5]);

/** Where a code point's kind is kept: one slot each up to U+FFFF and for the emoji, by sixteens for the rest. 132 KiB. */
function slotOf(code: number): number {
  if (code < 0x10000) return code;
  return code >> 12 === 0x1f ? 0x20000 + (code & 0xfff) : 0x10000 + ((code - 0x10000) >> 4);
}

function tabulateKinds(): Uint8Array {
  const kinds = new Uint8Array(0x21000).fill(SCRIPT);
  SCRIPTS.forEach(([from, to], row) => {
    if (row > 0) kinds.fill(SCRIPT + row, slotOf(from), slotOf(to) + 1);
  });
  for (const char of FREQUENT_HAN) kinds[char.charCodeAt(0)] = SCRIPT + SCRIPTS.length;
  for (const char of FREQUENT_HANGUL) kinds[char.charCodeAt(0)] = SCRIPT + SCRIPTS.length + 1;
  const fillLatin = (from: number, to: number, letter: number): void => {
    for (let code = from; code <= to; code++) {
      const char = String.fromCharCode(code);
      kinds[code] = char === char.toLowerCase() ? letter : letter + CAPITAL;
    }
  };
  fillLatin(0x00c0, 0x00ff, 26);
  fillLatin(0x0100, 0x024f, 27);
  fillLatin(0x0259, 0x0259, 27);
  fillLatin(0x1e00, 0x1eff, 28);
  kinds.fill(29, 0x0300, 0x0370);
  for (const [from, to, tokens] of SYMBOLS) kinds.fill(SYMBOL + tokens, slotOf(from), slotOf(to) + 1);
  for (const char of ONE_TOKEN_SYMBOLS) kinds[slotOf(char.codePointAt(0)!)] = SYMBOL + 1;
  kinds.fill(MARK + PUNCTUATION.length, 0, 0x80);
  for (let mark = 0; mark < PUNCTUATION.length; mark++) kinds[PUNCTUATION.charCodeAt(mark)] = MARK + mark;
  for (let letter = 0; letter < 26; letter++) {
    kinds[97 + letter] = letter;
    kinds[65 + letter] = letter + CAPITAL;
  }
  kinds.fill(DIGIT, 48, 58);
  kinds.fill(BLANK, 9, 14);
  kinds[32] = BLANK;
  kinds[10] = BREAK;
  kinds[13] = BREAK;
  kinds[0] = SYMBOL + 1;
  return kinds;
}

/** The kinds of all code units, and of the code points above them: see `kindOf`. */
export const KINDS = tabulateKinds();

/** The kind of the code point whose code units are `unit` and, where `unit` opens a pair, `next`. */
export function kindOf(unit: number, next: number): number {
  if ((unit & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00) {
    return KINDS[slotOf(0x10000 + (((unit & 0x3ff) << 10) | (next & 0x3ff)))]!;
  }
  return KINDS[unit]!;
}

export const isLetter = (kind: number): boolean => kind < DIGIT || (kind >= SCRIPT && kind < SYMBOL);
