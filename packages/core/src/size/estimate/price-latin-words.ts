import * as characters from './character-kinds.ts';
import { CAPITAL_PAIRS, LETTER_PAIRS, LETTER_RUNS, unpackCosts } from './pair-costs.ts';
import type { Scan } from './scan.ts';
import * as scanning from './scan.ts';

// Per character: local names, since loaders that rewrite imports make each use of an imported one a call.
const { CAPITAL, DIGIT, KINDS } = characters;
const { settleScan, TOKEN } = scanning;

/** A word that opens with a letter outside a to z, by the letter's kind from 26 on. */
const ACCENTED_START = [64, 40, 36, 118] as const;
const APOSTROPHE = 39;
const TYPED_APOSTROPHE = 0x2019;

const runs = unpackCosts(LETTER_RUNS, CAPITAL);
const pairs = tabulatePairs();

/** What a letter adds, by the kinds of the letter before it and of itself. A capital behind a small letter opens a new word. */
function tabulatePairs(): Uint8Array {
  const small = unpackCosts(LETTER_PAIRS, 32);
  const capital = unpackCosts(CAPITAL_PAIRS, 32);
  const costs = new Uint8Array(64 * 64);
  for (let left = 0; left < 64; left++) {
    for (let right = 0; right < 64; right++) {
      const pair = ((left & 31) << 5) | (right & 31);
      const capitals = left >= CAPITAL && right >= CAPITAL && (left & 31) < 26 && (right & 31) < 26;
      costs[(left << 6) | right] = (capitals ? capital : small)[pair] ?? 0;
    }
  }
  return costs;
}

/** Few tokens are longer than eight letters, hardly any longer than twelve: what a word's length adds, up to twenty letters. */
const LENGTHS = Uint8Array.from({ length: 21 }, (_, length) => 6 * clamp(length - 8, 4) + 20 * clamp(length - 12, 8));

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}

/** Letters a to z and their kin, up to the first character that is none. */
export function priceLatinWords(scan: Scan): void {
  const { text } = scan;
  const end = text.length;
  let at = scan.at;
  let cost = scan.prefix;
  let kind = KINDS[text.charCodeAt(at)]!;
  while (kind < DIGIT) {
    const from = at;
    cost += (kind & 31) < 26 ? TOKEN : TOKEN + ACCENTED_START[(kind & 31) - 26]!;
    let before = DIGIT;
    let last = kind;
    kind = ++at < end ? KINDS[text.charCodeAt(at)]! : DIGIT;
    // Nearly every two letters are a token, so the first pair counts half.
    if (kind < DIGIT && !(kind >= CAPITAL && last < CAPITAL)) cost -= pairs[(last << 6) | kind]! >> 1;
    while (kind < DIGIT && !(kind >= CAPITAL && last < CAPITAL)) {
      cost += kind === last && kind === before && (kind & 31) < 26 ? runs[kind]! : pairs[(last << 6) | kind]!;
      before = last;
      last = kind;
      kind = ++at < end ? KINDS[text.charCodeAt(at)]! : DIGIT;
    }
    const length = at - from;
    if (length > 8) cost += LENGTHS[Math.min(length, 20)]!;
  }
  if (at < end) {
    const unit = text.charCodeAt(at);
    if (unit === APOSTROPHE || unit === TYPED_APOSTROPHE) {
      const suffix = measureContraction(text, at);
      if (suffix > 0 && unit === TYPED_APOSTROPHE) cost += TOKEN;
      at += suffix;
    }
  }
  scan.at = at;
  scan.cost += cost;
  settleScan(scan, false);
}

/** The length of 's, 't, 'll and the like, which stay with their word. */
function measureContraction(text: string, at: number): number {
  const one = String.fromCharCode(text.charCodeAt(at + 1) | 32);
  const two = String.fromCharCode(text.charCodeAt(at + 2) | 32);
  const size = 'sdmt'.includes(one) ? 2 : (one === 'l' && two === 'l') || ('vr'.includes(one) && two === 'e') ? 3 : 0;
  const after = text.charCodeAt(at + size) | 32;
  return after >= 97 && after <= 122 ? 0 : size;
}
